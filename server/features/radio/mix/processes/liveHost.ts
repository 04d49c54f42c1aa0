import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseHandle } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { startJobs } from '#server/core/jobs/jobRunner.ts'
import type { JobTimes } from '#server/core/jobs/lease.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import { refusal } from '#src/contract/refusal.ts'
import { followHost } from './followHost.ts'
import { createSourceForwarder } from './forwardSource.ts'
import {
  callLocally,
  callRemotely,
  deleteHost,
  endLease,
  type Host,
  type HostCall,
  type HostCalls,
  JOB_NAME,
  readHost,
  writeHost,
} from './host.ts'

/** In seconds. A source waits for a process that takes the job after another one has closed. */
const TIMES: JobTimes = { lease: 12, maxRun: null, grace: 5, poll: 2 }
const WAIT_MS = 4000
/** How often a process looks for one to follow. */
const FOLLOW_RETRY_MS = 500

type LiveHost = ReturnType<typeof createLiveHost>

declare module '#server/core/context.ts' {
  interface Services {
    liveHost: LiveHost
  }
}

type Deps = Pick<Services, 'db' | 'now' | 'fetcher' | 'log'> & {
  database: Pick<DatabaseHandle, 'kind'>
  live: LiveSources
  secret: Uint8Array
}

/**
 * The process that has the live sources. Of several processes, one has them all, so that it decides who is on air: the one
 * that runs the job `live-sources`. Others forward sources to it, and play its sound.
 */
export function createLiveHost(deps: Deps, times = TIMES) {
  const { database, live, log } = deps
  const authorization = `Bearer ${Buffer.from(deps.secret).toString('base64url')}`
  const own: Host = { process: randomUUID(), url: '' }
  /** also true before the start, and if no other process can use the database */
  let isHost = true
  let followed: Host | null = null
  /** the followed process while its messages arrive */
  let aliveHost: Host | null = null
  let following = new AbortController()
  let jobs: ReturnType<typeof startJobs> | null = null
  let isClosed = false
  const forwarder = createSourceForwarder(authorization)

  /** Has the sources until another process may take them. */
  async function host(_services: Services, signal: AbortSignal): Promise<void> {
    await writeHost(deps, own)
    if (signal.aborted) return
    isHost = true
    following.abort()
    if (followed) live.sound.stop()
    followed = null
    // Streamers who were on air in a process that is gone continue their broadcast here.
    live.recover()
    await once(signal, 'abort')
    isHost = false
    if (isClosed) return void (await deleteHost(deps, own))
    log.warn(
      'Disconnected the live sources, because another process may take them. Check the connection to the database',
    )
    live.abandon()
  }

  async function findOther(): Promise<Host | null> {
    const found = isHost ? null : await readHost(deps)
    return found && found.process !== own.process ? found : null
  }

  async function follow(): Promise<void> {
    while (!isClosed) {
      const other = await findOther().catch(() => null)
      if (other) await followUntilLost(other)
      await sleep(FOLLOW_RETRY_MS, undefined, { ref: false })
    }
  }

  async function followUntilLost(other: Host): Promise<void> {
    const isNew = followed?.process !== other.process
    if (isNew) log.info('following the process with the live sources')
    followed = other
    following = new AbortController()
    const { signal } = following
    const onOpen = () => {
      aliveHost = other
    }
    await followHost(deps, other, authorization, signal, onOpen).catch((error: Error) => {
      if (isNew && !signal.aborted) log.warn({ reason: error.message }, 'lost the process with the live sources')
    })
    aliveHost = null
    // If the host's machine is gone, the connections of its sources would hang.
    forwarder.disconnect(other)
  }

  const call = async <Name extends keyof HostCalls>(name: Name, ...args: Parameters<HostCalls[Name]>) => {
    const other = await findOther()
    return other ? callRemotely(deps, other, authorization, name, args) : callLocally(live, name, args)
  }

  return {
    /** value of the header that other processes send */
    authorization,
    /** Takes part in the choice of the process. @param url where other processes reach this one */
    start(services: Services, url: string): void {
      // The embedded database has one process.
      if (database.kind === 'embedded') return void live.recover()
      own.url = url
      isHost = false
      jobs = startJobs(services, [{ name: JOB_NAME, intervalSeconds: 1, delaySeconds: 0, run: host }], times)
      void follow()
    },
    /**
     * @returns the process that has the sources, or null if it is this one
     * @throws AppError 503 if no process has taken them yet
     */
    async find(): Promise<Host | null> {
      for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(50)) {
        if (isHost) return null
        const other = await findOther()
        if (other) return other
      }
      throw errors.unavailable(refusal('radio.unavailable'))
    },
    forward: forwarder.forward,
    /**
     * Ends the lease of a process that accepts no connection, so that another one takes the sources now.
     * @returns false if its messages still arrive: a lost packet must not end the broadcast
     */
    async replace(unreachable: Host): Promise<boolean> {
      if (aliveHost?.process === unreachable.process) return false
      if (await deleteHost(deps, unreachable)) await endLease(deps)
      return true
    },
    isHost: () => isHost,
    /** Runs a call in the process that has the sources. @throws AppError */
    call: call as HostCall,
    async close(): Promise<void> {
      isClosed = true
      following.abort()
      await jobs?.close()
    },
  }
}
