import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import { AppError } from '#server/core/errors.ts'
import { type AudioFrame, sleep } from '#server/features/radio/input/frames/audioParser.ts'
import { type RadioSource, RadioUnavailable, type RelayListener } from '#server/features/radio/types.ts'
import { createDelivery } from './delivery.ts'

/** Limits the wait for the first sound, for example of a server that accepts the connection but sends nothing. */
const OPEN_MS = 10_000
const STALL_MS = 10_000

/** Delays before reconnects. The stream ends after the last attempt or after GIVE_UP_MS. */
const RETRY_MS = [0, 1000, 2000, 4000]
const GIVE_UP_MS = 10_000
/** Audio without a break for this long resets the reconnect delays. */
const STEADY_MS = 10_000

/** Keeps the upstream open for a while after the last listener leaves, so that the next listener starts faster. */
const LINGER_MS = 30_000

export type RelayDeps = {
  source: Pick<RadioSource, 'openStream'>
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  onTitle: (stationId: number, title: string) => void
  lingerMs?: number
}
type Joined = { type: string; leave: () => void }
export type RelayStation = ReturnType<typeof createRelayStation>

/**
 * Relays a station while it has listeners. Reconnects to the source for some seconds, in which listeners stay.
 * @param onEnd called once when the upstream has ended; `failure` is null if it ended without an error
 */
export function createRelayStation(
  { source, log, onTitle, lingerMs = LINGER_MS }: RelayDeps,
  stationId: number,
  onEnd: (failure: AppError | null) => void,
) {
  const delivery = createDelivery({
    onTitle: (title) => onTitle(stationId, title),
    onFormat(from, to) {
      if (from !== null) log.info({ stationId, from, to }, 'radio stream changed its format')
      lingerIfUnused()
    },
    onDrop: () => lingerIfUnused(),
  })
  const closing = new AbortController()
  /** listeners that wait for the first sound of a connection to the source */
  const waiting = new Set<{ resolve: () => void; reject: (failure: AppError) => void }>()
  /** when the first sound of the connection arrived */
  let playingSince: number | null = null
  /** When the stream was lost; null again once the stream is steady. */
  let lostAt: number | null = null
  let lingerTimer: NodeJS.Timeout | undefined

  const size = () => delivery.size() + waiting.size
  const isEnded = () => closing.signal.aborted

  async function run(): Promise<void> {
    for (const retries = [...RETRY_MS]; ; ) {
      const openMs = lostAt === null ? OPEN_MS : Math.max(1, lostAt + GIVE_UP_MS - performance.now())
      const failure = await play(openMs)
      if (isEnded()) return
      if (!delivery.hasBegun()) return end(failure)
      const now = performance.now()
      if (playingSince !== null && now - playingSince >= STEADY_MS) {
        lostAt = null
        retries.splice(0, retries.length, ...RETRY_MS)
      }
      if (lostAt === null) log.warn({ stationId, reason: reasonOf(failure) }, 'radio stream lost, reconnecting')
      lostAt ??= now
      playingSince = null
      delivery.reconnect()
      const delay = retries.shift()
      if (size() === 0) return end(null)
      if (delay === undefined || now + delay - lostAt >= GIVE_UP_MS) return end(failure)
      if (delay > 0) await sleep(delay, closing.signal)
      if (isEnded()) return
    }
  }

  /** Sends the sound of one connection to the source. @returns why it ended */
  async function play(openMs: number): Promise<AppError> {
    const connection = new AbortController()
    const createError = () => new RadioUnavailable('no audio before the timeout')
    const expect = <T>(work: Promise<T>, ms: number) => withTimeout(work, ms, { signal: closing.signal, createError })
    const until = performance.now() + openMs
    let pieces: AsyncIterator<AudioFrame[]> | undefined
    try {
      const stream = await expect(source.openStream(stationId, connection.signal), openMs)
      pieces = stream[Symbol.asyncIterator]()
      for (let ms = Math.max(1, until - performance.now()); ; ms = STALL_MS) {
        const { done, value } = await expect(pieces.next(), ms)
        if (done) return new RadioUnavailable('stream ended')
        if (playingSince === null && lostAt !== null) log.info({ stationId }, 'radio stream recovered')
        playingSince ??= performance.now()
        delivery.push(value)
        if (delivery.hasSound()) admitWaiting()
      }
    } catch (error) {
      // Hide messages of system errors: they may contain internal addresses.
      return error instanceof AppError ? error : new RadioUnavailable(`stream failed: ${errorCodeOf(error)}`)
    } finally {
      connection.abort()
      // Not awaited: a stalled source would block here.
      pieces?.return?.().catch(() => {})
    }
  }

  function admitWaiting(): void {
    for (const { resolve } of waiting) resolve()
    waiting.clear()
  }

  function end(failure: AppError | null): void {
    if (isEnded()) return
    closing.abort()
    clearTimeout(lingerTimer)
    delivery.end()
    for (const { reject } of waiting) reject(failure ?? new RadioUnavailable('radio is closing'))
    onEnd(failure)
  }

  function lingerIfUnused(): void {
    clearTimeout(lingerTimer)
    if (!isEnded() && size() === 0) lingerTimer = setTimeout(() => end(null), lingerMs)
  }

  function join(listener: RelayListener): Joined {
    clearTimeout(lingerTimer)
    const type = delivery.join(listener)
    const leave = () => {
      if (delivery.leave(listener)) lingerIfUnused()
    }
    return { type, leave }
  }

  const running = run()
  return {
    size,
    listeners: delivery.size,
    /** Resolves when the connection to the source is closed. */
    close(): Promise<void> {
      end(null)
      return running
    },

    /** @throws the error that prevented the stream from opening */
    async listen(listener: RelayListener): Promise<Joined> {
      if (playingSince === null || !delivery.hasSound()) {
        clearTimeout(lingerTimer)
        await new Promise<void>((resolve, reject) => waiting.add({ resolve, reject }))
      }
      if (isEnded()) throw new RadioUnavailable('radio is closing')
      return join(listener)
    },
  }
}

const reasonOf = (failure: AppError) => (failure instanceof RadioUnavailable ? failure.reason : failure.code)

function errorCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'no code'
}
