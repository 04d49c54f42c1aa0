import type { Frame } from '#server/features/radio/frames/mpeg.ts'
import type { Library } from './library.ts'
import { readFrames } from './mp3Info.ts'
import { getNextIndex, getPositionAt, getTrackAt, type Timeline } from './timeline.ts'

type Deps = {
  library: Library
  now: () => Date
  /** rejects when the signal aborts */
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** What has just been on air goes first, so that sound starts at once. */
const BURST_SECONDS = 7
/** Frames go out so often. */
const BATCH_MS = 250
/** Further from the clock than this, after a sleep of the machine, it goes on where the clock is. */
const JUMP_SECONDS = 15

/**
 * The sound of the station as of now: seven seconds of it at once, then frame by frame as time goes, over the borders of
 * tracks. Ends when the signal aborts, or when there is nothing more in this format.
 */
export async function* streamTimeline({ library, now, sleep }: Deps, signal: AbortSignal): AsyncGenerator<Buffer> {
  let timeline = await library.timeline()
  while (timeline && !signal.aborted) {
    const { format, secondsPerFrame } = timeline
    const begin = now().getTime() - BURST_SECONDS * 1000
    const frames = readTimelineFrames(library, timeline, begin)
    let sent = 0
    for (;;) {
      const owed = Math.floor((now().getTime() - begin) / 1000 / secondsPerFrame) - sent
      if (Math.abs(owed) * secondsPerFrame > JUMP_SECONDS) break
      const batch: Buffer[] = []
      while (batch.length < owed) {
        const next = await frames.next()
        if (next.done || signal.aborted) return
        batch.push(next.value.bytes)
      }
      sent += batch.length
      if (batch.length > 0) yield Buffer.concat(batch)
      try {
        await sleep(BATCH_MS, signal)
      } catch {
        return
      }
    }
    timeline = await library.timeline()
    if (timeline?.format !== format) return
  }
}

/** Every frame from a moment on, for ever; ends when there is nothing more in the format it began with. */
async function* readTimelineFrames(library: Library, from: Timeline, begin: number): AsyncGenerator<Frame> {
  let { track, frame } = getPositionAt(from, begin)
  let timeline: Timeline | null = from
  let time = begin
  while (timeline?.format === from.format) {
    let hasFrames = false
    let isReadToEnd = false
    try {
      for await (const frames of readFrames(track.file, track.info, frame)) {
        for (const one of frames) {
          if (!hasFrames && frame === 0) library.onTrackStart(track, time)
          hasFrames = true
          time += one.seconds * 1000
          yield one
        }
      }
      isReadToEnd = true
    } catch {
      // Gone or changed while it played, or closed to us: on to the next one.
    }
    // Right before its end, where a frame more or less is thought, there may be nothing left of a good track.
    if (!hasFrames && (frame === 0 || !isReadToEnd)) library.excludeTrack(track)
    timeline = library.currentTimeline() ?? (await library.timeline())
    if (timeline) track = getTrackAt(timeline, getNextIndex(timeline, track))
    frame = 0
  }
}
