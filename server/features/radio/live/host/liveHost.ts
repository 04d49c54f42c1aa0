import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseHandle } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'
import type { LiveSources } from '#server/features/radio/live/createLive.ts'
import { followHost } from './followHost.ts'
import { createSourceForwarder, type SourceForwarder } from './forwardSource.ts'
import { callLocally, callRemotely, type HostCall, type HostCalls } from './hostCalls.ts'
import { claimHost, type Host, readHost, refreshHost, releaseHost } from './hostRow.ts'
import { createLeaseTimer } from './leaseTimer.ts'

/** All times in ms. */
export type HostTimes = {
  /** time until another process takes the sources of one that does not respond */
  lease: number
  /** interval of refreshes, well below the lease, so that a slow database does not end it */
  refresh: number
  /** maximum wait between checks for a host: not every change has an event */
  poll: number
  /** wait after a lost connection or an error of the database */
  retry: number
}
const TIMES: HostTimes = { lease: 15_000, refresh: 4000, poll: 30_000, retry: 500 }
const FOLLOW_FAILED = 'Cannot follow the live sources: listeners of this process do not hear them. Restart the process'

/**
 * The process that has the live sources. Of several processes, one has them all, so that it decides who is on air. Others
 * forward sources to it, and play its sound.
 */
export type LiveHost = {
  /** value of the header that other processes send */
  authorization: string
  /** Begins to follow other processes. @param url where they reach this process */
  start(url: string): void
  /** Takes the sources, unless another process has them. @returns the other process, or null */
  claim(unreachable?: Host): Promise<Host | null>
  forward: SourceForwarder['forward']
  isHost(): boolean
  /** Returns whether messages of another process arrive. */
  isAlive(host: Host): boolean
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

export function createLiveHost(deps: Deps, times = TIMES): LiveHost {
  const { database, live, log } = deps
  const authorization = `Bearer ${Buffer.from(deps.secret).toString('base64url')}`
  /** null until the process accepts requests, and always if no other process can use the database */
  let own: Host | null = null
  let isHost = false
  let followed: Host | null = null
  /** the followed process while its messages arrive */
  let aliveHost: Host | null = null
  let following = new AbortController()
  let refreshTimer: NodeJS.Timeout | undefined
  let idleTicks = 0
  let releasing: Promise<void> = Promise.resolve()
  let isClosed = false
  let wake = () => {}
  const forwarder = createSourceForwarder(authorization)
  const lease = createLeaseTimer(times.lease, () =>
    loseSources('Disconnected the live sources: the database did not answer in time. Check its connection'),
  )
  const unsubscribe = database.events.subscribe((payload) => {
    // Most notifications are about posts, so this check saves parsing them.
    if (payload.includes('"live-host"')) checkHost()
  })
  const unsubscribeReconnect = database.events.onReconnect(checkHost)

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
      const host = await findOther().catch(() => undefined)
      if (host === null) {
        // The host is gone: its broadcast ends, unless its streamer comes back.
        if (followed && !isHost) live.recover()
        followed = null
        await Promise.race([changed, sleep(times.poll, undefined, { ref: false })])
        continue
      }
      // After an error of the database, the host may still be there.
      if (host && !isHost) await followUntilLost(host)
      await sleep(times.retry, undefined, { ref: false })
    }
  }

  async function followUntilLost(host: Host): Promise<void> {
    if (followed?.process !== host.process) log.info('following the process with the live sources')
    followed = host
    following = new AbortController()
    const { signal } = following
    const onOpen = () => {
      aliveHost = host
    }
    await followHost(deps, host, authorization, signal, onOpen).catch((error: Error) => {
      if (!signal.aborted) log.warn({ reason: error.message }, 'lost the process with the live sources')
    })
    aliveHost = null
    // If the host's machine is gone, the connections of its sources would hang.
    forwarder.disconnect(host)
  }

  function checkHost(): void {
    wake()
    leaveFormerHost().catch((error: unknown) =>
      log.warn({ err: error }, 'cannot read which process has the live sources'),
    )
  }

  /** Ends the connection to a process when another one has become the host. */
  async function leaveFormerHost(): Promise<void> {
    const former = followed
    const host = former && (await findOther())
    if (!host || followed !== former || host.process === former.process) return
    following.abort()
    live.sound.stop()
  }

  function become(): void {
    isHost = true
    following.abort()
    if (followed) live.sound.stop()
    followed = null
    // Streamers who were on air in a process that is gone continue their broadcast here.
    live.recover()
    clearInterval(refreshTimer)
    refreshTimer = setInterval(refreshOrRelease, times.refresh).unref()
  }

  function refreshOrRelease(): void {
    // Not at once: a source may just be connecting.
    idleTicks = live.isIdle() ? idleTicks + 1 : 0
    const work = idleTicks > 1 ? release() : refresh()
    work.catch((error: unknown) => log.warn({ err: error }, 'cannot refresh the lease of the live sources'))
  }

  async function refresh(): Promise<void> {
    if (!own) return
    const startedAt = performance.now()
    const isRefreshed = await refreshHost(deps, own, times.lease)
    if (!isHost) return
    if (isRefreshed) lease.extend(startedAt)
    else loseSources('Disconnected the live sources: another process has taken them. Check INTERNAL_URL')
  }

  function loseSources(message: string): void {
    log.warn(message)
    resign()
    live.abandon()
  }

  async function release(): Promise<void> {
    resign()
    if (!own) return
    const work = releaseHost(deps, own)
    releasing = work.catch(() => {})
    await work
  }

  function resign(): void {
    isHost = false
    clearInterval(refreshTimer)
    lease.stop()
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
      follow().catch((error: unknown) => log.error({ err: error }, FOLLOW_FAILED))
    },
    async claim(unreachable) {
      if (!own) return null
      idleTicks = 0
      // Otherwise, its DELETE could remove the row of this claim.
      await releasing
      const startedAt = performance.now()
      const { host, isNew } = await claimHost(deps, own, unreachable ?? null, times.lease)
      if (host.process !== own.process) return host
      if (isNew || !isHost) become()
      lease.extend(startedAt)
      return null
    },
    forward: forwarder.forward,
    isHost: () => isHost,
    isAlive: ({ process }) => aliveHost?.process === process,
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
