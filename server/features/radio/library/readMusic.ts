import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import type { Library } from './library.ts'
import { readFrames } from './mp3File.ts'
import { getNextPosition, getPositionAt, maxDrift, type Timeline, type Track, toFrames } from './timeline.ts'

/**
 * Reads the tracks of the station one after the other. Ends when their format changes, or if there is no track left. The
 * first frame of each track has its title.
 * @param begin in ms since 1970
 */
export async function* readMusic(
  library: Library,
  from: Timeline,
  begin: number,
  titleOf: (track: Track) => Promise<string>,
): AsyncGenerator<AudioFrame> {
  let item = getPositionAt(from, begin)
  let time = begin
  let since = toFrames(from, begin)
  while (true) {
    const { track, frame } = item
    const { secondsPerFrame } = track.info
    let length = frame
    let isReadable = true
    try {
      for await (const frames of readFrames(track.file, track.info, frame)) {
        for (const one of frames) {
          const isFirst = length === frame
          if (isFirst && frame === 0) library.onTrackStart(item, time)
          length += 1
          time += secondsPerFrame * 1000
          yield isFirst ? { ...one, title: await titleOf(track) } : one
        }
      }
    } catch {
      // The file was removed, changed or made unreadable.
      isReadable = false
    }
    let timeline = library.currentTimeline() ?? (await library.timeline())
    if (timeline?.format !== from.format) return
    const missing = track.info.frames - length
    const isWrong = !isReadable || Math.abs(missing) > maxDrift(timeline)
    const end = toFrames(timeline, time)
    let next = getNextPosition(timeline, { since, time: isWrong ? end + missing : end })
    if (isWrong) {
      // Without any sound from the middle on, the length is only known to be smaller.
      if (!isReadable || length > frame || frame === 0) library.correctLength(track, isReadable ? length : 0)
      timeline = library.currentTimeline() ?? (await library.timeline())
      if (timeline?.format !== from.format) return
      const isLeft = timeline.tracks.some(({ id }) => id === next.track.id)
      next = isLeft ? { ...next, frame: 0 } : getNextPosition(timeline, { since, time: end })
    }
    if (next.requestId !== null) since = next.start
    item = next
  }
}
