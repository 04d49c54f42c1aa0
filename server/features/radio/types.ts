import type { Broadcast, BroadcastSummary, Streamer } from '#src/contract/archive.ts'
import type { NowPlaying, Song, Station } from '#src/contract/radio.ts'
import type { AudioFrame } from './input/frames/audioParser.ts'
import type { PlannedTrack } from './library/plannedTracks.ts'

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

/** Whole frames of one media type. */
export type SoundPiece = { type: string; frames: AudioFrame[] }

/** Bytes of a radio service. */
export type ByteStream = {
  type: string
  /** bytes of audio between two ICY metadata blocks; null without metadata */
  metadataInterval: number | null
  body: AsyncIterable<Buffer>
}

/** The sound of a station: frames in real time, or bytes that the relay parses and paces. */
export type SourceStream = ByteStream | { pieces: AsyncIterable<SoundPiece> }

export type SourceRecording = {
  status: 200 | 206 | 416
  type: string
  /** bytes of `body`; null when unknown */
  length: number | null
  /** the Content-Range header of a 206 or 416 */
  range: string | null
  body: AsyncIterable<Buffer>
}

/** Each method has its own timeout. It may throw `RadioUnavailable`, or AppError NOT_FOUND for an unknown id. */
export type RadioSource = {
  stations(): Promise<{ id: number; name: string; description: string; listenUrl: string }[]>
  nowPlaying(stationId: number): Promise<SourceNowPlaying>
  streamers(stationId: number): Promise<Streamer[]>
  broadcasts(stationId: number, streamerId: number): Promise<Broadcast[]>
  openStream(stationId: number, signal: AbortSignal): Promise<SourceStream>
  /** Returns the media type that `openStream` would have now; missing if only the stream tells it. */
  streamType?(): string
  openRecording(
    ids: { stationId: number; streamerId: number; broadcastId: number },
    range: string | undefined,
    signal: AbortSignal,
  ): Promise<SourceRecording>
  readArt(reference: string): Promise<Buffer>
  /** null if the station takes no requests */
  tracks?: RequestableTracks | null
  close(): Promise<void>
}

export class RadioUnavailable extends Error {
  override name = 'RadioUnavailable'
}

export type RelayListener = {
  /** @param title what is heard with the bytes; null if the stream does not tell */
  write(bytes: Buffer, title: string | null): void
  bufferedBytes(): number
  /** Ends the stream after sending the buffered data. */
  end(): void
  /** Disconnects a listener that reads too slowly. */
  drop(): void
}

export type Radio = {
  /** Returns an empty list and `available: false` when the service does not answer. */
  stations(): Promise<{ stations: Station[]; available: boolean }>
  /** Accepts any station while the service does not answer. @throws AppError NOT_FOUND */
  assertStation(stationId: number): Promise<void>
  /** @throws AppError NOT_FOUND */
  nowPlaying(stationId: number): Promise<NowPlaying>
  /**
   * Asks the source what a station plays, without waiting for the next poll.
   * @param onRead is called after the source answered
   * @throws AppError NOT_FOUND; RadioUnavailable
   */
  refreshNowPlaying(stationId: number, onRead: () => void): Promise<void>
  streamers(stationId: number): Promise<{ streamers: Streamer[]; available: boolean }>
  broadcasts(stationId: number, streamerId: number): Promise<{ broadcasts: Broadcast[]; available: boolean }>
  /** Returns what is known of each streamer's broadcasts, by the streamer's id. */
  summaries(stationId: number): Promise<Record<number, BroadcastSummary>>
  /** Returns the newest recordings that are known, for the podcast. */
  latestBroadcasts(stationId: number): Promise<{ streamer: Streamer; broadcast: Broadcast }[]>
  /** @throws RadioUnavailable; AppError NOT_FOUND */
  openRecording: RadioSource['openRecording']
  art(key: string, size: ArtSize): Promise<{ bytes: Buffer; type: string } | null>
  /** Resolves when audio is available. @throws RadioUnavailable; AppError NOT_FOUND, or 503 for too many listeners */
  listen(stationId: number, listener: RelayListener): Promise<{ type: string; leave: () => void }>
  /** Returns the media type of a station's stream, or null if nobody has listened to it yet. */
  streamType(stationId: number): string | null
  /** External origins from which browsers play audio. */
  mediaSources(): string[]
  /** null if the station takes no requests */
  tracks: RequestableTracks | null
  /** For metrics: listeners per station, open streams, and the calls whose last attempt failed. */
  stats(): { listeners: [stationId: number, listeners: number][]; streams: number; failingCalls: string[] }
  close(): Promise<void>
}

declare module '#server/core/context.ts' {
  interface Services {
    radio: Radio
  }
}
