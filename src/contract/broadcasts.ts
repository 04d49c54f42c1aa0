import type { Broadcast, BroadcastSummary } from './archive.ts'

export type EndedBroadcast = Broadcast & { timestampEnd: string }

export const hasEnded = (broadcast: Broadcast): broadcast is EndedBroadcast => broadcast.timestampEnd !== null

export const durationSeconds = ({ timestampStart, timestampEnd }: EndedBroadcast) =>
  Math.max(0, Math.round((Date.parse(timestampEnd) - Date.parse(timestampStart)) / 1000))

export function summarise(broadcasts: Broadcast[]): BroadcastSummary {
  const summary: BroadcastSummary = { count: 0, latest: null, seconds: 0, bytes: 0 }
  for (const broadcast of broadcasts.filter(hasEnded)) {
    const { timestampStart, recording } = broadcast
    summary.count++
    if (summary.latest === null || Date.parse(timestampStart) > Date.parse(summary.latest)) {
      summary.latest = timestampStart
    }
    summary.seconds += durationSeconds(broadcast)
    summary.bytes += recording?.size ?? 0
  }
  return summary
}

export const addSummaries = (a: BroadcastSummary, b: BroadcastSummary): BroadcastSummary => ({
  count: a.count + b.count,
  latest:
    [a.latest, b.latest]
      .filter((latest) => latest !== null)
      .sort()
      .at(-1) ?? null,
  seconds: a.seconds + b.seconds,
  bytes: a.bytes + b.bytes,
})
