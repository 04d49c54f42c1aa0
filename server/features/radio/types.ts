import type { Broadcast, Streamer } from '#src/contract/archive.ts'
import type { NowPlaying, Song, Station } from '#src/contract/radio.ts'

/** A song from a source; `art` is the source's own reference and is never sent to browsers. */
export type SourceSong = Omit<Song, 'art'> & { art: string | null }

export type SourceNowPlaying = {
  /** null when nothing is on air */
  song: SourceSong | null
  elapsed: number
  /** 0 when unknown */
  duration: number
  /** null when the source does not count listeners */
  listeners: { current: number; peak: number | null } | null
  live: { isLive: boolean; streamer: string }
  history: { song: SourceSong; playedAt: string | null }[]
}

export type SourceStream = {
  /** media type, such as audio/mpeg */
  type: string
  /** bytes of audio between two ICY metadata blocks; null without metadata */
  metadataInterval: number | null
  body: AsyncIterable<Buffer>
}

export type SourceRecording = {
  status: 200 | 206 | 416
  type: string
  /** bytes of `body`; null when unknown */
  length: number | null
  /** the Content-Range header of a 206 or 416 */
  range: string | null
  body: AsyncIterable<Buffer>
}

/**
 * An AzuraCast server or the embedded station. Each call has its own timeout and may throw `RadioUnavailable`, or
 * AppError NOT_FOUND for an unknown id.
 */
export type RadioSource = {
  stations(): Promise<{ id: number; name: string; description: string; listenUrl: string }[]>
  nowPlaying(stationId: number): Promise<SourceNowPlaying>
  streamers(stationId: number): Promise<Streamer[]>
  broadcasts(stationId: number, streamerId: number): Promise<Broadcast[]>
  /** @param signal ends the stream */
  openStream(stationId: number, signal: AbortSignal): Promise<SourceStream>
  /** @param range the client's Range header */
  openRecording(
    ids: { stationId: number; streamerId: number; broadcastId: number },
    range: string | undefined,
    signal: AbortSignal,
  ): Promise<SourceRecording>
  /** Returns an undecoded image of bounded size. */
  readArt(reference: string): Promise<Buffer>
  close(): Promise<void>
}

/** The radio service did not give a usable answer. */
export class RadioUnavailable extends Error {
  override name = 'RadioUnavailable'
}

/** A listener of the relay; the relay writes whole frames and never waits. */
export type RelayListener = {
  write(bytes: Buffer): void
  /** bytes written but not yet sent */
  bufferedBytes(): number
  /** Ends the stream after the buffered data. */
  end(): void
  /** Disconnects a listener that reads too slowly. */
  drop(): void
}

/** The radio as the rest of the server uses it: cached, and with a timeout on every call. */
export type Radio = {
  /** Returns an empty list and `available: false` when the service does not answer. */
  stations(): Promise<{ stations: Station[]; available: boolean }>
  /** Returns a placeholder when the service does not answer. @throws AppError NOT_FOUND */
  nowPlaying(stationId: number): Promise<NowPlaying>
  streamers(stationId: number): Promise<{ streamers: Streamer[]; available: boolean }>
  broadcasts(stationId: number, streamerId: number): Promise<{ broadcasts: Broadcast[]; available: boolean }>
  /** @throws RadioUnavailable; AppError NOT_FOUND */
  openRecording: RadioSource['openRecording']
  /** Returns an image by the key in its path; null for an unknown key or an invalid image. */
  art(key: string): Promise<{ bytes: Buffer; type: string } | null>
  /**
   * Adds a listener to a station's stream; resolves when audio is available.
   * @throws RadioUnavailable; AppError NOT_FOUND, or 503 when there are too many listeners
   */
  listen(stationId: number, listener: RelayListener): Promise<{ type: string; leave: () => void }>
  /** Origins, besides this site's, that browsers play audio from. */
  mediaSources(): string[]
  /** For metrics: listeners by station, open streams, and calls that failed last. */
  stats(): { listeners: [stationId: number, listeners: number][]; streams: number; failingCalls: string[] }
  close(): Promise<void>
}

declare module '#server/core/context.ts' {
  interface Services {
    radio: Radio
  }
}
