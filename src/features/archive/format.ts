import type { Broadcast } from '#src/contract/archive.ts'
import { utcDate } from '#src/ui/time.ts'

const MB = 1024 * 1024
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const two = (value: number) => String(value).padStart(2, '0')

/** A broadcast that is over: the only kind that is listed. */
export type EndedBroadcast = Broadcast & { timestampEnd: string }

export const hasEnded = (broadcast: Broadcast): broadcast is EndedBroadcast => broadcast.timestampEnd !== null

/** How long it was, in whole seconds. */
export const durationSeconds = ({ timestampStart, timestampEnd }: EndedBroadcast) =>
  Math.max(0, Math.round((Date.parse(timestampEnd) - Date.parse(timestampStart)) / 1000))

/** What it is called in the player: its title, or the day it was. */
export const broadcastTitle = ({ title, timestampStart }: Broadcast) =>
  title || `Broadcast of ${utcDate(new Date(timestampStart))}`

/** 'Sunday, 20:00 UTC', which tells apart what has no title. */
export function weekdayText({ timestampStart }: Broadcast): string {
  const start = new Date(timestampStart)
  return `${DAYS[start.getUTCDay()]}, ${two(start.getUTCHours())}:${two(start.getUTCMinutes())} UTC`
}

/** h:mm:ss */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`

/** '110.0 MB', of 1024 × 1024 bytes as everywhere on the site. */
export const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`

/** '82 h 10 min', '45 min' */
export function hours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

/** '7.4 GB', or megabytes where it is less than one. */
export const totalSize = (bytes: number) =>
  bytes < 1024 * MB ? megabytes(bytes) : `${(bytes / 1024 / MB).toFixed(1)} GB`
