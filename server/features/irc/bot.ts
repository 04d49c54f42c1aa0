import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Events } from '#db/client.server.ts'
import type { IrcConfig } from '#server/core/config/ircSettings.ts'
import type { Services } from '#server/core/context.ts'
import { startJobs } from '#server/core/jobs/jobRunner.ts'
import type { JobTimes } from '#server/core/jobs/lease.ts'
import { startAnnouncements } from './announcements/startAnnouncements.ts'
import { cleanAndCut } from './cleanText.ts'
import { createCommands, type SongRequester } from './commands.ts'
import type { IrcConnection } from './connection.ts'
import { createOutgoingQueue } from './outgoingQueue.ts'
import { IRC_TIMES, type IrcTimes } from './times.ts'

export type IrcState = 'off' | 'standby' | 'connecting' | 'online'

const MAX_REASON_BYTES = 200

export type IrcDeps = {
  config: IrcConfig | null
  events: Events
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now: () => Date
  /** null without song requests */
  requestSong?: SongRequester | null
  times?: IrcTimes
}

export type Irc = ReturnType<typeof createIrc>

declare module '#server/core/context.ts' {
  interface Services {
    irc: Irc
  }
}

/** Creates the bot. It connects while `run` runs, in the process that has the lease. */
export function createIrc({ config, events, log, now, requestSong = null, times = IRC_TIMES }: IrcDeps) {
  const { reconnect } = times
  const clock = () => performance.now()
  const channels = config ? listChannels(config) : []
  let isRunning = false
  let connections = 0
  let connection: IrcConnection | null = null
  const queue = createOutgoingQueue({
    ...{ clock, rate: times.lines },
    isReady: (target) => connection?.isReady(target) ?? false,
    send: (line) => connection?.send(line),
  })

  /** Returns the time until the next attempt: it doubles, and is random so that bots of a network do not return together. */
  const backoffMs = (failures: number) =>
    Math.min(reconnect.first * 2 ** (failures - 1), reconnect.max) * (0.5 + Math.random() / 2)

  async function connectUntilAborted(services: Services, config: IrcConfig, signal: AbortSignal): Promise<void> {
    // Loaded here, because most sites have no bot.
    const { openConnection } = await import('./connection.ts')
    const answer = createCommands({ services, config, clock, requestSong, push: queue.push })
    let failures = 0
    let loggedReason = ''
    while (!signal.aborted) {
      const opened = openConnection({
        ...{ config, channels, now, clock, times: times.connection },
        onMessage: answer,
        onReady: () => {
          if (loggedReason !== '') log.info('the bot is on IRC again')
          loggedReason = ''
          queue.flush()
        },
        onFault: (error) => log.error({ err: error }, 'a line of the IRC server failed'),
      })
      connection = opened
      connections++
      signal.addEventListener('abort', opened.quit, { once: true })
      const end = await opened.closed
      signal.removeEventListener('abort', opened.quit)
      connection = null
      queue.dropAnswers()
      if (signal.aborted) return
      failures = end.onlineMs >= reconnect.stable ? 1 : failures + 1
      const retryMs = backoffMs(failures)
      const reason = cleanAndCut(end.reason, MAX_REASON_BYTES)
      if (reason !== loggedReason)
        log.warn({ reason, retrySeconds: Math.ceil(retryMs / 1000) }, 'the bot is not on IRC')
      loggedReason = reason
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  return {
    isConfigured: config !== null,

    /** Runs the bot until the signal aborts, and leaves IRC then. */
    async run(services: Services, signal: AbortSignal): Promise<void> {
      if (!config || isRunning) return
      isRunning = true
      const stop = startAnnouncements({ services, events, config, clock, times: times.announcements, push: queue.push })
      try {
        await connectUntilAborted(services, config, signal)
      } finally {
        stop()
        queue.stop()
        isRunning = false
      }
    },

    state(): IrcState {
      if (!config) return 'off'
      if (!isRunning) return 'standby'
      return connection?.isOnline() ? 'online' : 'connecting'
    },

    stats: () => ({ ...queue.stats(), connections }),
  }
}

function listChannels({ channels, staffChannel }: IrcConfig): string[] {
  const names = [...channels.map(({ name }) => name), ...(staffChannel === null ? [] : [staffChannel])]
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
}

/** In seconds. After a crash, another process takes over within a minute. */
const TIMES: JobTimes = { lease: 45, maxRun: null, grace: 5, poll: 10 }
const RETRY_SECONDS = 10

/** Runs the bot in the process that gets the lease. */
export function startIrc(services: Services, times: JobTimes = TIMES): { close: () => Promise<void> } {
  const { irc } = services
  return startJobs(
    services,
    irc.isConfigured ? [{ name: 'irc', intervalSeconds: RETRY_SECONDS, delaySeconds: 0, run: irc.run }] : [],
    times,
  )
}
