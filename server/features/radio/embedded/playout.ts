import type { Frame } from '#server/features/radio/frames/mpeg.ts'
import type { Library } from './library.ts'
import { readFrames } from './mp3Info.ts'
import { getNextItem } from './plannedTracks.ts'
import { getPositionAt, type Timeline, toFrames } from './timeline.ts'

type Deps = {
  library: Library
  now: () => Date
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Length of the music sent at once, so that playback starts without buffering. */
const BURST_SECONDS = 7
const BATCH_MS = 250
/** Jumps to the current time if playback is further than this from the clock, for example after a suspend. */
const JUMP_SECONDS = 15

/** Sends the last 7 seconds at once, then streams in real time. Ends when the format changes or no music is left. */
export async function* streamTimeline({ library, now, sleep }: Deps, signal: AbortSignal): AsyncGenerator<Buffer> {
  let timeline = await library.timeline()
  while (timeline && !signal.aborted) {
    const { format, secondsPerFrame } = timeline
    const begin = now().getTime() - BURST_SECONDS * 1000
    const frames = readTimelineFrames(library, timeline, begin)
    let sentFrames = 0
    for (;;) {
      const dueFrames = Math.floor((now().getTime() - begin) / 1000 / secondsPerFrame) - sentFrames
      if (Math.abs(dueFrames) * secondsPerFrame > JUMP_SECONDS) break
      const batch: Buffer[] = []
      while (batch.length < dueFrames) {
        const next = await frames.next()
        if (next.done || signal.aborted) return
        batch.push(next.value.bytes)
      }
      sentFrames += batch.length
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

async function* readTimelineFrames(library: Library, from: Timeline, begin: number): AsyncGenerator<Frame> {
  let { track, requestId, frame, start } = getPositionAt(from, begin)
  let timeline: Timeline | null = from
  let time = begin
  while (timeline?.format === from.format) {
    let hasFrames = false
    let isReadToEnd = false
    try {
      for await (const frames of readFrames(track.file, track.info, frame)) {
        for (const frameToSend of frames) {
          if (!hasFrames && frame === 0) library.onTrackStart(track, requestId, time)
          hasFrames = true
          time += frameToSend.seconds * 1000
          yield frameToSend
        }
      }
      isReadToEnd = true
    } catch {
      // The file was removed, changed or made unreadable: continue with the next track.
    }
    // Exclude tracks without frames. A good track may have none after `frame`: its frame count is an estimate.
    if (!hasFrames && (frame === 0 || !isReadToEnd)) library.excludeTrack(track)
    timeline = library.currentTimeline() ?? (await library.timeline())
    if (!timeline) return
    const next = getNextItem(timeline, { track, requestId, start }, toFrames(timeline, time))
    track = next.track
    requestId = next.requestId
    start = toFrames(timeline, time)
    frame = 0
  }
}
