import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#server/core/errors.ts'
import type { Sound } from '#server/features/radio/frames/audioParser.ts'
import { type RadioSource, RadioUnavailable, type RelayListener } from '#server/features/radio/types.ts'
import { createReady, pause } from './deferred.ts'
import { createAudience } from './listeners.ts'
import { createSplice, createTail } from './reconnectSplicer.ts'
import { OPEN_MS, readUpstream } from './upstream.ts'

/** A server that sends more at once is waited for so long, so that the first listener gets it in one piece too. */
const SETTLE_MS = 50
/** How long the place listeners had come to is looked for on a new connection. */
const SPLICE_MS = 500
/** A lost stream is opened again after these times, and given up when all are used or the last is over. */
const RETRY_MS = [0, 1000, 2000, 4000]
const GIVE_UP_MS = 10_000
/** A stream that sounds so long has recovered: losing it again begins a new count. */
const STEADY_MS = 10_000

export type StationDeps = {
  source: Pick<RadioSource, 'openStream'>
  stationId: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  onTitle: (title: string) => void
  onUnknownType: (type: string) => void
  /** told once, when there is no upstream any more; with the reason when that is a failure */
  onEnd: (failure: Error | null) => void
  lingerMs: number
}
export type RelayedStation = ReturnType<typeof createStation>

/** One station while anybody listens, and a little longer: one upstream, and all its listeners. */
export function createStation({ source, stationId, log, onTitle, onUnknownType, onEnd, lingerMs }: StationDeps) {
  const audience = createAudience()
  const tail = createTail()
  const abort = new AbortController()
  let ready = createReady()
  let splice = createSplice([])
  let type = ''
  let format: string | null = null
  let comingHead: Buffer[] = []
  let title: string | null = null
  /** between their call and their first byte */
  let coming = 0
  /** milliseconds; since when the present connection sounds */
  let soundsSince: number | null = null
  /** milliseconds; when a stream that has not recovered since was lost */
  let lostAt: number | null = null
  let ended = false
  let lingering: NodeJS.Timeout | undefined
  let settling: NodeJS.Timeout | undefined
  let splicing: NodeJS.Timeout | undefined

  function takeSound(frames: Sound[], soundType: string): void {
    if (soundsSince === null) {
      soundsSince = performance.now()
      if (lostAt !== null) log.info({ stationId }, 'the radio stream is back')
    }
    for (const frame of frames) {
      if (frame.format !== format) changeFormat(frame.format, soundType)
      if (frame.isHead) comingHead.push(frame.bytes)
      else takeFrame(frame)
    }
    if (ready.isDone || !audience.hasSound()) return
    if (audience.isBurstWhole()) beReady()
    else settling ??= setTimeout(beReady, SETTLE_MS)
  }

  function takeFrame(frame: Sound): void {
    if (comingHead.length > 0) {
      audience.setHead(Buffer.concat(comingHead))
      comingHead = []
    }
    if (!splice.isDone()) splicing ??= setTimeout(releaseSplice, SPLICE_MS)
    deliver(splice.push([frame]))
  }

  function releaseSplice(): void {
    deliver(splice.release())
    if (!ready.isDone && audience.hasSound()) beReady()
  }

  function deliver(frames: Sound[]): void {
    for (const frame of frames) {
      tail.add(frame)
      audience.add(frame)
    }
  }

  /** No decoder plays on through this: listeners come again by themselves, and find the new sound. */
  function changeFormat(next: string, nextType: string): void {
    if (format !== null) {
      log.info({ stationId, from: format, to: next }, 'the radio stream changed its format')
      audience.endAll()
      tail.clear()
      splice = createSplice([])
    }
    comingHead = []
    type = nextType
    format = next
    lingerIfAlone()
  }

  function beReady(): void {
    clearTimeout(settling)
    settling = undefined
    audience.flush()
    ready.resolve()
  }

  function forgetConnection(): void {
    for (const timer of [settling, splicing]) clearTimeout(timer)
    settling = undefined
    splicing = undefined
    comingHead = []
    audience.flush()
    splice = createSplice(tail.frames())
    if (ready.isDone) ready = createReady()
  }

  async function run(): Promise<void> {
    for (const retries = [...RETRY_MS]; ; ) {
      const openMs = lostAt === null ? OPEN_MS : Math.max(1, lostAt + GIVE_UP_MS - performance.now())
      soundsSince = null
      const failure = await connect(openMs)
      if (ended) return
      if (format === null) return end(failure)
      const now = performance.now()
      if (soundsSince !== null && now - soundsSince >= STEADY_MS) {
        lostAt = null
        retries.splice(0, retries.length, ...RETRY_MS)
      }
      if (lostAt === null) log.warn({ stationId, reason: failure.message }, 'the radio stream was lost')
      lostAt ??= now
      forgetConnection()
      const delay = retries.shift()
      if (isAlone()) return end(null)
      if (delay === undefined || now + delay - lostAt >= GIVE_UP_MS) return end(failure)
      if (delay > 0) await pause(delay, abort.signal)
      if (ended) return
    }
  }

  async function connect(openMs: number): Promise<Error> {
    try {
      const events = { onSound: takeSound, onTitle: takeTitle, onUnknownType }
      await readUpstream(source, stationId, { signal: abort.signal, openMs }, events)
      return new RadioUnavailable('the stream ended')
    } catch (error) {
      // What a driver says may name inner addresses.
      return error instanceof AppError || error instanceof RadioUnavailable
        ? error
        : new RadioUnavailable(`the stream broke: ${codeOf(error)}`)
    }
  }

  function takeTitle(next: string): void {
    if (next === title) return
    title = next
    onTitle(next)
  }

  function end(failure: Error | null): void {
    if (ended) return
    ended = true
    abort.abort()
    for (const timer of [lingering, settling, splicing]) clearTimeout(timer)
    audience.endAll()
    ready.reject(failure ?? new RadioUnavailable('the radio is being closed'))
    onEnd(failure)
  }

  const isAlone = () => audience.size() + coming === 0
  function lingerIfAlone(): void {
    clearTimeout(lingering)
    if (!ended && isAlone()) lingering = setTimeout(() => end(null), lingerMs)
  }

  run()
  return {
    /** those who listen, and those who are about to */
    size: () => audience.size() + coming,
    listeners: audience.size,
    close: () => end(null),

    /** @throws what kept the stream from being opened */
    async listen(listener: RelayListener): Promise<{ type: string; leave: () => void }> {
      coming++
      clearTimeout(lingering)
      try {
        while (!ready.isDone) await ready.promise
      } catch (error) {
        coming--
        throw error
      }
      const joined = format
      let left = false
      // Whoever called sends its head first.
      setImmediate(() => {
        coming--
        if (ended || format !== joined) listener.end()
        else if (!left) audience.join(listener, lingerIfAlone)
        lingerIfAlone()
      })
      return {
        type,
        leave: () => {
          if (left) return
          left = true
          audience.leave(listener)
          lingerIfAlone()
        },
      }
    },
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'no code'
}
