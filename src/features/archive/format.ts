import type { Broadcast } from '#src/contract/archive.ts'
import { padTwo, utcDate } from '#src/ui/formatTime.ts'

const MB = 1024 * 1024
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export const broadcastTitle = ({ title, timestampStart }: Broadcast) =>
  title || `Broadcast of ${utcDate(new Date(timestampStart))}`

export function formatWeekday({ timestampStart }: Broadcast): string {
  const start = new Date(timestampStart)
  return `${DAYS[start.getUTCDay()]}, ${padTwo(start.getUTCHours())}:${padTwo(start.getUTCMinutes())} UTC`
}

export const formatMegabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`

export function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${padTwo(minutes % 60)} min`
}

export const formatSize = (bytes: number) =>
  bytes < 1024 * MB ? formatMegabytes(bytes) : `${(bytes / 1024 / MB).toFixed(1)} GB`
