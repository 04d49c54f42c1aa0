import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { Library } from './library.ts'
import { readFrames } from './mp3File.ts'
import { getPosition, MAX_DRIFT_SECONDS, type Timeline, type Track, toFrames } from './timeline.ts'

/**
 * Reads the tracks of the station one after the other. Each takes the time that it has in the timeline, so that all
 * processes stay at the same second: a damaged track ends with silence. Ends when the format changes, or if there is no
 * track left. The first frame of each track has its title.
 * @param begin in ms since 1970
 */
export async function* readMusic(
  library: Library,
  from: Timeline,
  begin: number,
  titleOf: (track: Track) => Promise<string>,
): AsyncGenerator<AudioFrame> {
  const maxDrift = Math.floor(MAX_DRIFT_SECONDS / from.secondsPerFrame)
  let timeline: Timeline | null = from
  let time = toFrames(from, begin)
  /** differs from `time` by the drift */
  let sent = time
  while (timeline?.format === from.format) {
    const { track, frame, end } = getPosition(timeline, time)
    let last: AudioFrame | null = null
    let isEmpty = true
    try {
      for await (const one of readTrack(track, frame)) {
        isEmpty = false
        if (sent >= end + maxDrift) break
        yield last ? one : { ...one, title: await titleOf(track) }
        last = one
        sent += 1
      }
      if (isEmpty && frame === 0) throw new Error('no sound')
      time = end
      if (last && end - sent > maxDrift) for (; sent < end; sent++) yield toSilence(last)
    } catch {
      // The file was removed, changed or made unreadable.
      library.exclude(track)
      time = sent
    }
    timeline = library.currentTimeline() ?? (await library.timeline())
  }
}

async function* readTrack({ file, info }: Track, from: number): AsyncGenerator<AudioFrame> {
  for await (const frames of readFrames(file, info, from)) yield* frames
}

/** Returns a frame of MPEG layer 3 without side information, in which a decoder finds nothing to play. */
function toSilence({ bytes, ...frame }: AudioFrame): AudioFrame {
  const silence = Buffer.alloc(bytes.length)
  bytes.copy(silence, 0, 0, 4)
  // without a checksum
  silence[1] = (silence[1] ?? 0) | 1
  return { ...frame, bytes: silence }
}
