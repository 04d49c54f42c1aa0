import type { Broadcast } from '#src/contract/archive.ts'

/**
 * Ends recorded broadcasts of a streamer whose end was never written, for example because the service crashed. Only the
 * newest broadcast can still run, while its streamer is live. The end is unknown, so it is the start.
 */
export async function endBroadcasts(broadcasts: Broadcast[], isLive: () => Promise<boolean>): Promise<Broadcast[]> {
  const isOpen = ({ timestampEnd, recording }: Broadcast) => timestampEnd === null && recording !== null
  if (!broadcasts.some(isOpen)) return broadcasts
  const newest = broadcasts
    .map(({ timestampStart }) => timestampStart)
    .sort()
    .at(-1)
  const live = await isLive()
  return broadcasts.map((broadcast) => {
    const isRunning = live && broadcast.timestampStart === newest
    return isOpen(broadcast) && !isRunning ? { ...broadcast, timestampEnd: broadcast.timestampStart } : broadcast
  })
}
