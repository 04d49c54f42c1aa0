import { AppError } from '#server/core/errors.ts'
import type { Broadcast, Streamer } from '#src/contract/archive.ts'
import type { Song } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { AudioFrame } from './input/frames/audioParser.ts'
import type { PlannedTrack } from './library/timeline.ts'

/** The embedded station, and the default station of a radio service. */
export const STATION_ID = 1

/** A song from a source. `art` is the source's own reference and is never sent to browsers. */
export type SourceSong = Omit<Song, 'art'> & { art: string | null }

export type ArtSize = 'large' | 'small'

export type SourceNowPlaying = {
  song: SourceSong | null
  elapsed: number
  /** 0 when unknown */
  duration: number
  /** null when the source does not count listeners */
  listeners: { current: number; peak: number | null } | null
  live: { isLive: boolean; streamer: string; unheard?: string }
  /** whether a listener requested the song */
  isRequest?: boolean
  history: { song: SourceSong; playedAt: string | null; isRequest?: boolean }[]
}

export type LibraryTrack = { id: number; artist: string; title: string; seconds: number }

/** The tracks that a station plays, for requests. */
export type RequestableTracks = {
  /** Returns tracks whose artist and title contain all words, best match first. */
  search(query: string, limit: number): Promise<LibraryTrack[]>
  find(trackId: number): Promise<LibraryTrack | null>
  /**
   * Returns the first time after `after` at which a requested track can start between two tracks, and the track that
   * follows it.
   * @param planned requested tracks that the process may not know yet
   * @returns null if nothing plays
   */
  findGap(planned: PlannedTrack[], after: Date): Promise<{ startsAt: Date; nextTrackId: number } | null>
}

/** The first and the last byte of a part of a file. */
export type ByteRange = { start: number; end: number }

export type SourceRecording = {
  type: string
  /** bytes of the whole file, which can end before the requested part; null when unknown */
  size: number | null
  /** whether `body` is the requested part: a service can send the whole file instead */
  isPart: boolean
  body: AsyncIterable<Buffer>
}

/** Each method has its own timeout. It may throw `RadioUnavailable`, or AppError NOT_FOUND for an unknown id. */
export type RadioSource = {
  stations(): Promise<{ id: number; name: string; description: string; listenUrl: string }[]>
  nowPlaying(stationId: number): Promise<SourceNowPlaying>
  streamers(stationId: number): Promise<Streamer[]>
  broadcasts(stationId: number, streamerId: number): Promise<Broadcast[]>
  /** Opens the sound of a station, in real time. @param signal closes it */
  openStream(stationId: number, signal: AbortSignal): Promise<AsyncIterable<AudioFrame[]>>
  /** Returns the media type that `openStream` would have now; missing if only the stream tells it. */
  streamType?(): string
  openRecording(
    ids: { stationId: number; streamerId: number; broadcastId: number },
    range: ByteRange | null,
    signal: AbortSignal,
  ): Promise<SourceRecording>
  readArt(reference: string): Promise<Buffer>
  /** null if the station takes no requests */
  tracks?: RequestableTracks | null
  close(): Promise<void>
}

/** Visitors learn only that the radio is unavailable. The reason is for the log. */
export class RadioUnavailable extends AppError {
  constructor(
    readonly reason: string,
    override readonly cause?: Error,
  ) {
    super('SERVICE_UNAVAILABLE', refusal('radio.unavailable'), { retryAfter: 5 })
  }
}

export type RelayListener = {
  /** Called once before the first bytes. @param type media type of the stream */
  begin(type: string): void
  /** @param title what is heard with the bytes; null if the stream does not tell */
  write(bytes: Buffer, title: string | null): void
  bufferedBytes(): number
  /** Ends the stream after sending the buffered data. */
  end(): void
  /** Disconnects a listener that reads too slowly. */
  drop(): void
}
