import type { IrcAnnouncement } from '#server/core/config/ircSettings.ts'
import type { Services } from '#server/core/context.ts'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { IrcTimes } from '#server/features/irc/times.ts'

export type AnnouncerDeps = {
  services: Services
  /** Sends a line to the channels that want this kind of announcement. */
  announce: (kind: IrcAnnouncement, text: string) => void
  /** Runs work later, unless the bot stops first. Logs its errors. */
  schedule: (delayMs: number, work: () => Promise<void>) => void
  /** in ms */
  clock: () => number
  times: IrcTimes['announcements']
}

/** @param batch all changes of the transaction */
export type OnChange = (change: PublishedChange, batch: PublishedChange[]) => void

/** Older events are not announced, for example after the database was down. */
export const MAX_EVENT_AGE_MS = 60_000
