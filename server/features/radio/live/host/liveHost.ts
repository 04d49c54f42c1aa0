import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseHandle } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'
import type { LiveSources } from '#server/features/radio/live/createLive.ts'
import { followHost } from './followHost.ts'
import { callLocally, callRemotely, type HostCall, type HostCalls } from './hostCalls.ts'
import { claimHost, type Host, readHost, refreshHost, releaseHost } from './hostRow.ts'

/** Well below the lease, so that a slow database does not end it. */
const REFRESH_MS = 4000
const RETRY_MS = 500

/**
 * The process that has the live sources. Of several processes, one has them all, so that it decides who is on air. Others
 * pass sources on to it, and play its sound.
 */
export type LiveHost = {
  /** value of the header that other processes send */
  authorization: string
  /** Begins to follow other processes. @param url where they reach this process */
  start(url: string): void
  /** Takes the sources, unless another process has them. @returns the other process, or null */
  claim(gone?: Host): Promise<Host | null>
  isHost(): boolean
  /** Runs a call in the process that has the sources. @throws AppError */
  call: HostCall
  close(): Promise<void>
}

declare module '#server/core/context.ts' {
  interface Services {
    liveHost: LiveHost
  }
}

type Deps = Pick<Services, 'db' | 'cache' | 'now' | 'fetcher' | 'log'> & {
  database: Pick<DatabaseHandle, 'events' | 'kind'>
  live: LiveSources
  secret: Uint8Array
}

export function createLiveHost(deps: Deps): LiveHost {
  const { database, live, log } = deps
  const authorization = `Bearer ${Buffer.from(deps.secret).toString('base64url')}`
  /** null until the process accepts requests, and always if no other process can use the database */
  let own: Host | null = null
  let isHost = false
  let followed: Host | null = null
  let following = new AbortController()
  let refreshTimer: NodeJS.Timeout | undefined
  let isClosed = false
  let wake = () => {}
  const unsubscribe = database.events.subscribe((payload) => {
    // Most notifications are about posts, so this check saves parsing them.
    if (payload.includes('"live-host"')) wake()
  })
  const unsubscribeReconnect = database.events.onReconnect(() => wake())

  async function findOther(): Promise<Host | null> {
    if (!own || isHost) return null
    const host = await readHost(deps)
    return host && host.process !== own.process ? host : null
  }

  async function follow(): Promise<void> {
    while (!isClosed) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const host = await findOther().catch(() => null)
      if (!host) {
        // The host is gone: its broadcast ends, unless its streamer comes back.
        if (followed && !isHost) live.recover()
        followed = null
        await changed
        continue
      }
      if (followed?.process !== host.process) log.info('following the process with the live sources')
      followed = host
      following = new AbortController()
      await followHost(deps, host, authorization, following.signal).catch((error: Error) => {
        if (!following.signal.aborted) log.warn({ reason: error.message }, 'lost the process with the live sources')
      })
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }

  function become(): void {
    isHost = true
    following.abort()
    if (followed) live.sound.stop()
    followed = null
    // Streamers who were on air in a process that is gone continue their broadcast here.
    live.recover()
    let idleTicks = 0
    clearInterval(refreshTimer)
    refreshTimer = setInterval(() => {
      // Not at once: a source may just be connecting.
      idleTicks = live.isIdle() ? idleTicks + 1 : 0
      const work = idleTicks > 1 ? release() : refresh()
      work.catch((error: unknown) => log.warn({ err: error }, 'cannot refresh the lease of the live sources'))
    }, REFRESH_MS).unref()
  }

  async function refresh(): Promise<void> {
    if (!own || (await refreshHost(deps, own)) || !isHost) return
    log.warn('another process has taken the live sources')
    resign()
    for (const { id } of live.sources()) live.disconnect(id)
  }

  async function release(): Promise<void> {
    resign()
    if (own) await releaseHost(deps, own)
  }

  function resign(): void {
    isHost = false
    clearInterval(refreshTimer)
    wake()
  }

  const call = async <Name extends keyof HostCalls>(name: Name, ...args: Parameters<HostCalls[Name]>) => {
    const other = await findOther()
    return other ? callRemotely(deps, other, authorization, name, args) : callLocally(live, name, args)
  }

  return {
    authorization,
    start(url) {
      // The embedded database has one process.
      if (database.kind === 'embedded') return
      own = { process: randomUUID(), url }
      follow().catch((error: unknown) => log.error({ err: error }, 'cannot follow the live sources'))
    },
    async claim(gone) {
      if (!own) return null
      const { host, isNew } = await claimHost(deps, own, gone ?? null)
      if (host.process !== own.process) return host
      if (isNew || !isHost) become()
      return null
    },
    isHost: () => isHost,
    call: call as HostCall,
    async close() {
      isClosed = true
      unsubscribe()
      unsubscribeReconnect()
      following.abort()
      if (isHost) await release().catch(() => {})
      wake()
    },
  }
}
