import type { Broadcast, Streamer } from '#src/contract/archive.ts'
import type { NowPlaying, Song, Station } from '#src/contract/radio.ts'

/** A song as a source names it: `art` is the source's own reference, which no browser ever sees. */
export type SourceSong = Omit<Song, 'art'> & { art: string | null }

export type SourceNowPlaying = {
  /** null when nothing is on air */
  song: SourceSong | null
  /** seconds */
  elapsed: number
  /** seconds; 0 where nobody knows */
  duration: number
  /** null: the source does not count; ours are taken */
  listeners: { current: number; peak: number | null } | null
  live: { isLive: boolean; streamer: string }
  history: { song: SourceSong; playedAt: string | null }[]
}

/** Sound without end, as it comes. */
export type SourceStream = {
  /** media type, such as audio/mpeg */
  type: string
  /** bytes of sound between two ICY metadata blocks; null when there are none */
  metadataInterval: number | null
  body: AsyncIterable<Buffer>
}

/** A recording, or a part of one, as the source answers it. */
export type SourceRecording = {
  status: 200 | 206 | 416
  type: string
  /** bytes of `body`; null when the source does not tell */
  length: number | null
  /** Content-Range as it came, with 206 and 416 */
  range: string | null
  body: AsyncIterable<Buffer>
}

/**
 * Where the radio comes from: an AzuraCast, or the station built in. Every call may throw `RadioUnavailable`, and
 * for an id the source does not know an AppError with NOT_FOUND; none takes longer than its own bound.
 */
export type RadioSource = {
  stations(): Promise<{ id: number; name: string; description: string; listenUrl: string }[]>
  nowPlaying(stationId: number): Promise<SourceNowPlaying>
  streamers(stationId: number): Promise<Streamer[]>
  broadcasts(stationId: number, streamerId: number): Promise<Broadcast[]>
  /** @param signal ends the stream */
  openStream(stationId: number, signal: AbortSignal): Promise<SourceStream>
  /** @param range the Range header as it came */
  openRecording(
    ids: { stationId: number; streamerId: number; broadcastId: number },
    range: string | undefined,
    signal: AbortSignal,
  ): Promise<SourceRecording>
  /** the bytes of a picture, undecoded and bounded */
  readArt(reference: string): Promise<Buffer>
  close(): Promise<void>
}

/** The radio service gave no answer that could be used. */
export class RadioUnavailable extends Error {
  override name = 'RadioUnavailable'
}

/** One listener of a relay; the relay writes whole frames and never waits. */
export type RelayListener = {
  write(bytes: Buffer): void
  /** bytes written and not yet taken */
  bufferedBytes(): number
  /** no more is coming */
  end(): void
  /** it takes too little: let go at once */
  drop(): void
}

/** The radio as the rest of the site uses it: asked once for everybody, remembered for seconds, never hanging. */
export type Radio = {
  /** `available` is false, and the list empty, when the service gives no answer */
  stations(): Promise<{ stations: Station[]; available: boolean }>
  /** the placeholder when the service gives no answer; throws NOT_FOUND for a station that is not there */
  nowPlaying(stationId: number): Promise<NowPlaying>
  streamers(stationId: number): Promise<{ streamers: Streamer[]; available: boolean }>
  broadcasts(stationId: number, streamerId: number): Promise<{ broadcasts: Broadcast[]; available: boolean }>
  /** @throws RadioUnavailable, or NOT_FOUND */
  openRecording: RadioSource['openRecording']
  /** a picture of ours by the key in its path; null when it is unknown or no picture */
  art(key: string): Promise<{ bytes: Buffer; type: string } | null>
  /**
   * Adds a listener to a station's stream: resolves with its media type as soon as sound is there.
   * @throws RadioUnavailable, NOT_FOUND, or an AppError with 503 at the cap
   */
  listen(stationId: number, listener: RelayListener): Promise<{ type: string; leave: () => void }>
  /** what the page's policy lets sound come from besides this site: the service's servers, where browsers go there */
  mediaSources(): string[]
  /** listeners by station, streams read from the source, and the kinds of questions it gave no answer to last */
  stats(): { listeners: [stationId: number, listeners: number][]; streams: number; failing: string[] }
  close(): Promise<void>
}

declare module '#server/core/context.ts' {
  interface Services {
    radio: Radio
  }
}
