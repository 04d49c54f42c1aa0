import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#server/core/errors.ts'
import { sleep } from '#server/features/radio/input/frames/audioParser.ts'
import { type RadioSource, RadioUnavailable, type RelayListener } from '#server/features/radio/types.ts'
import { createDelivery } from './delivery.ts'
import { OPEN_MS, readUpstream } from './upstream.ts'

/** Waits for the server's initial burst, so that the first listener gets the whole burst at once. */
const SETTLE_MS = 50
/** Delays before reconnects. The stream ends after the last attempt or after GIVE_UP_MS. */
const RETRY_MS = [0, 1000, 2000, 4000]
const GIVE_UP_MS = 10_000
/** Audio without a break for this long resets the reconnect delays. */
const STEADY_MS = 10_000

type Deps = {
  source: Pick<RadioSource, 'openStream'>
  stationId: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  onTitle: (title: string) => void
  onUnknownType: (type: string) => void
  /** Called once when the upstream has ended; `failure` is null if it ended without an error. */
  onEnd: (failure: Error | null) => void
  lingerMs: number
}
export type RelayStation = ReturnType<typeof createRelayStation>

/** Relays a station while it has listeners. Reconnects to the source for some seconds, in which listeners stay. */
export function createRelayStation({ source, stationId, log, onTitle, onUnknownType, onEnd, lingerMs }: Deps) {
  const delivery = createDelivery({
    onTitle,
    onFormat(from, to) {
      if (from !== null) log.info({ stationId, from, to }, 'radio stream changed its format')
      lingerIfUnused()
    },
    onRelease: () => !ready.isDone && listeners.hasSound() && markReady(),
  })
  const { listeners } = delivery
  const controller = new AbortController()
  let ready = createDeferred()
  let waitingListeners = 0
  let playingSince: number | null = null
  /** When the stream was lost; null again once the stream is steady. */
  let lostAt: number | null = null
  let ended = false
  let lingerTimer: NodeJS.Timeout | undefined
  let settleTimer: NodeJS.Timeout | undefined

  function notePlaying(): void {
    if (playingSince === null && lostAt !== null) log.info({ stationId }, 'radio stream recovered')
    playingSince ??= performance.now()
  }

  function checkReady(): void {
    if (ready.isDone || !listeners.hasSound()) return
    if (listeners.isBurstFull()) markReady()
    else settleTimer ??= setTimeout(markReady, SETTLE_MS)
  }

  function markReady(): void {
    stopSettling()
    listeners.flush()
    ready.resolve()
  }

  function stopSettling(): void {
    clearTimeout(settleTimer)
    settleTimer = undefined
  }

  async function run(): Promise<void> {
    for (const retries = [...RETRY_MS]; ; ) {
      const openMs = lostAt === null ? OPEN_MS : Math.max(1, lostAt + GIVE_UP_MS - performance.now())
      playingSince = null
      const failure = await connect(openMs)
      if (ended) return
      if (delivery.format() === null) return end(failure)
      const now = performance.now()
      if (playingSince !== null && now - playingSince >= STEADY_MS) {
        lostAt = null
        retries.splice(0, retries.length, ...RETRY_MS)
      }
      if (lostAt === null) log.warn({ stationId, reason: failure.message }, 'radio stream lost, reconnecting')
      lostAt ??= now
      stopSettling()
      delivery.reconnect()
      if (ready.isDone) ready = createDeferred()
      const delay = retries.shift()
      if (size() === 0) return end(null)
      if (delay === undefined || now + delay - lostAt >= GIVE_UP_MS) return end(failure)
      if (delay > 0) await sleep(delay, controller.signal)
      if (ended) return
    }
  }

  async function connect(openMs: number): Promise<Error> {
    try {
      const limits = { signal: controller.signal, openMs }
      for await (const piece of readUpstream(source, stationId, limits, onUnknownType)) {
        notePlaying()
        delivery.push(piece)
        checkReady()
      }
      return new RadioUnavailable('stream ended')
    } catch (error) {
      // Hide messages of system errors: they may contain internal addresses.
      return error instanceof AppError || error instanceof RadioUnavailable
        ? error
        : new RadioUnavailable(`stream failed: ${errorCodeOf(error)}`)
    }
  }

  function end(failure: Error | null): void {
    if (ended) return
    ended = true
    controller.abort()
    clearTimeout(lingerTimer)
    stopSettling()
    delivery.stop()
    listeners.endAll()
    ready.reject(failure ?? new RadioUnavailable('radio is closing'))
    onEnd(failure)
  }

  const size = () => listeners.size() + waitingListeners
  function lingerIfUnused(): void {
    clearTimeout(lingerTimer)
    if (!ended && size() === 0) lingerTimer = setTimeout(() => end(null), lingerMs)
  }

  const running = run()
  return {
    size,
    listeners: listeners.size,
    /** Resolves when the connection to the source is closed. */
    close(): Promise<void> {
      end(null)
      return running
    },

    /** @throws the error that prevented the stream from opening */
    async listen(listener: RelayListener): Promise<{ type: string; leave: () => void }> {
      waitingListeners++
      clearTimeout(lingerTimer)
      try {
        while (!ready.isDone) await ready.promise
      } finally {
        waitingListeners--
      }
      if (ended) throw new RadioUnavailable('stream ended')
      const type = delivery.type()
      listener.begin(type)
      listeners.join(listener, lingerIfUnused)
      return {
        type,
        leave: () => {
          if (listeners.leave(listener)) lingerIfUnused()
        },
      }
    },
  }
}

function createDeferred() {
  let [resolve, reject] = [() => {}, (_error: Error) => {}]
  const promise = new Promise<void>((...settle) => {
    ;[resolve, reject] = settle
  })
  promise.catch(() => {})
  const deferred = {
    promise,
    isDone: false,
    resolve() {
      deferred.isDone = true
      resolve()
    },
    reject,
  }
  return deferred
}

function errorCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'no code'
}
