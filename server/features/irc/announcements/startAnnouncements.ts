import type { Events } from '#db/client.server.ts'
import type { IrcAnnouncement, IrcConfig } from '#server/core/config/ircSettings.ts'
import type { Services } from '#server/core/context.ts'
import type { PublishedChange } from '#server/core/events/event.ts'
import type { OutgoingLine } from '#server/features/irc/outgoingQueue.ts'
import { ircTexts } from '#server/features/irc/texts.ts'
import { ALERT_PATH, pushMessage } from '#src/contract/alerts.ts'
import type { AlertChange } from '#src/contract/events.ts'
import type { AnnouncerDeps, OnChange } from './announcer.ts'
import { createNewsAnnouncer } from './news.ts'
import { createShowAnnouncer } from './shows.ts'
import { createThreadAnnouncer } from './threads.ts'
import { announceTracks } from './tracks.ts'

type Deps = {
  services: Services
  events: Events
  config: IrcConfig
  /** in ms */
  clock: () => number
  times: AnnouncerDeps['times']
  push: (line: OutgoingLine) => void
}

/** Announces what the site publishes in the channels that want it. @returns a function that stops the announcements */
export function startAnnouncements({ services, events, config, clock, times, push }: Deps): () => void {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const logFault = (error: unknown) => services.log.error({ err: error }, 'an announcement on IRC failed')
  const channelsFor = (kind: IrcAnnouncement) =>
    config.channels.filter(({ announces }) => announces.includes(kind)).map(({ name }) => name)
  const say = (target: string, text: string) => push({ command: 'PRIVMSG', target, text, priority: 'announcement' })

  const deps: AnnouncerDeps = {
    ...{ services, clock, times },
    announce: (kind, text) => {
      for (const name of channelsFor(kind)) say(name, text)
    },
    schedule(delayMs, work) {
      if (stopping.signal.aborted) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        work().catch(logFault)
      }, delayMs).unref()
      timers.add(timer)
    },
  }

  const { staffChannel } = config
  const announcers: OnChange[] = []
  if (channelsFor('shows').length > 0) announcers.push(createShowAnnouncer(deps))
  if (channelsFor('threads').length > 0) announcers.push(createThreadAnnouncer(deps))
  if (channelsFor('news').length > 0) announcers.push(createNewsAnnouncer(deps))
  if (staffChannel !== null)
    announcers.push(createAlertAnnouncer(services.config.siteUrl, (text) => say(staffChannel, text)))
  if (channelsFor('tracks').length > 0) {
    stopping.signal.addEventListener('abort', announceTracks(deps, config.trackSeconds * 1000))
  }

  const unsubscribe = events.subscribe((payload) => {
    try {
      const batch = JSON.parse(payload) as PublishedChange[]
      for (const change of batch) for (const onChange of announcers) onChange(change, batch)
    } catch (error) {
      logFault(error)
    }
  })
  return () => {
    stopping.abort()
    unsubscribe()
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Sends alerts of moderators to the staff channel: counts and boards, never content. One line per kind. */
function createAlertAnnouncer(siteUrl: string, say: (text: string) => void): OnChange {
  const isAlert = (change: { kind: string }): change is AlertChange => change.kind === 'alert'

  return ({ change }, batch) => {
    if (!isAlert(change)) return
    const same = batch.flatMap((other) =>
      isAlert(other.change) && other.change.alert === change.alert ? other.change : [],
    )
    if (same[0] !== change) return
    const count = same.reduce((sum, alert) => sum + alert.count, 0)
    const boards = same.flatMap(({ boardId }) => boardId ?? [])
    const { title, body } = pushMessage(change.alert, count, boards)
    say(ircTexts.alert(title, body, `${siteUrl}${ALERT_PATH}`))
  }
}
