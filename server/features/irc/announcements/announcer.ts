import type { IrcAnnouncement } from '#server/core/config/ircSettings.ts'
import type { Services } from '#server/core/context.ts'
import type { PublishedChange } from '#server/core/events/event.ts'

/** All times in ms. */
export type AnnouncementTimes = {
  /** the thread of a show is opened after the show has begun */
  show: number
  /** threads of a moment are read with one query */
  threads: number
  /** a summary of the threads beyond the limit follows after this time */
  threadWindow: number
  /** feeds are fetched one after the other, and their articles go on one line */
  news: number
  /** minimum time between two lines with news */
  newsInterval: number
}

export type AnnouncerDeps = {
  services: Services
  /** Sends a line to the channels that want this kind of announcement. */
  announce: (kind: IrcAnnouncement, text: string) => void
  /** Runs work later, unless the bot stops first. Logs its errors. */
  schedule: (delayMs: number, work: () => Promise<void>) => void
  /** in ms */
  clock: () => number
  times: AnnouncementTimes
}

/** @param batch all changes of the transaction */
export type OnChange = (change: PublishedChange, batch: PublishedChange[]) => void

/** Older events are not announced, for example after the database was down. */
export const MAX_EVENT_AGE_MS = 60_000
