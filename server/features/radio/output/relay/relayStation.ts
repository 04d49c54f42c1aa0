import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '#server/core/errors.ts'
import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import { sleep } from '#server/features/radio/input/frames/readFrames.ts'
import {
  type RadioSource,
  RadioUnavailable,
  type RelayListener,
  type SoundPiece,
} from '#server/features/radio/types.ts'
import { createDeferred } from './deferred.ts'
import { createListenerGroup } from './listeners.ts'
import { createReconnectSplicer, MATCH_FRAMES } from './reconnectSplicer.ts'
import { OPEN_MS, readUpstream } from './upstream.ts'

/** Waits for the server's initial burst, so that the first listener gets the whole burst at once. */
const SETTLE_MS = 50
/** Limits the search for the last played frame after a reconnect. */
const SPLICE_MS = 500
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

export function createRelayStation({ source, stationId, log, onTitle, onUnknownType, onEnd, lingerMs }: Deps) {
  const listenerGroup = createListenerGroup()
  let lastFrames: Buffer[] = []
  const controller = new AbortController()
  let ready = createDeferred()
  let splicer = createReconnectSplicer([])
  let type = ''
  let format: string | null = null
  let pendingHeader: Buffer[] = []
  let title: string | null = null
  let waitingListeners = 0
  let playingSince: number | null = null
  /** When the stream was lost; null again once the stream is steady. */
  let lostAt: number | null = null
  let ended = false
  let lingerTimer: NodeJS.Timeout | undefined
  let settleTimer: NodeJS.Timeout | undefined
  let spliceTimer: NodeJS.Timeout | undefined

  function handlePiece({ frames, type: soundType }: SoundPiece): void {
    if (playingSince === null) {
      playingSince = performance.now()
      if (lostAt !== null) log.info({ stationId }, 'radio stream recovered')
    }
    for (const frame of frames) {
      if (frame.title !== undefined) handleTitle(frame.title)
      if (frame.format !== format) changeFormat(frame.format, soundType)
      if (frame.isHeader) pendingHeader.push(frame.bytes)
      else handleFrame(frame)
    }
    if (ready.isDone || !listenerGroup.hasSound()) return
    if (listenerGroup.isBurstFull()) markReady()
    else settleTimer ??= setTimeout(markReady, SETTLE_MS)
  }

  function handleFrame(frame: AudioFrame): void {
    if (pendingHeader.length > 0) {
      listenerGroup.setHeader(Buffer.concat(pendingHeader))
      pendingHeader = []
    }
    if (!splicer.isDone()) spliceTimer ??= setTimeout(releaseSplice, SPLICE_MS)
    sendFrames(splicer.push([frame]))
  }

  function releaseSplice(): void {
    sendFrames(splicer.release())
    if (!ready.isDone && listenerGroup.hasSound()) markReady()
  }

  function sendFrames(frames: AudioFrame[]): void {
    for (const frame of frames) {
      lastFrames = [...lastFrames, frame.bytes].slice(-MATCH_FRAMES)
      listenerGroup.add(frame)
    }
  }

  /** Disconnects all listeners, because decoders stop at a format change. Players reconnect by themselves. */
  function changeFormat(next: string, nextType: string): void {
    if (format !== null) {
      log.info({ stationId, from: format, to: next }, 'radio stream changed its format')
      listenerGroup.endAll()
      lastFrames = []
      splicer = createReconnectSplicer([])
    }
    pendingHeader = []
    type = nextType
    format = next
    lingerIfUnused()
  }

  function markReady(): void {
    clearTimeout(settleTimer)
    settleTimer = undefined
    listenerGroup.flush()
    ready.resolve()
  }

  function resetConnection(): void {
    for (const timer of [settleTimer, spliceTimer]) clearTimeout(timer)
    settleTimer = undefined
    spliceTimer = undefined
    pendingHeader = []
    listenerGroup.flush()
    splicer = createReconnectSplicer(lastFrames)
    if (ready.isDone) ready = createDeferred()
  }

  async function run(): Promise<void> {
    for (const retries = [...RETRY_MS]; ; ) {
      const openMs = lostAt === null ? OPEN_MS : Math.max(1, lostAt + GIVE_UP_MS - performance.now())
      playingSince = null
      const failure = await connect(openMs)
      if (ended) return
      if (format === null) return end(failure)
      const now = performance.now()
      if (playingSince !== null && now - playingSince >= STEADY_MS) {
        lostAt = null
        retries.splice(0, retries.length, ...RETRY_MS)
      }
      if (lostAt === null) log.warn({ stationId, reason: failure.message }, 'radio stream lost, reconnecting')
      lostAt ??= now
      resetConnection()
      const delay = retries.shift()
      if (size() === 0) return end(null)
      if (delay === undefined || now + delay - lostAt >= GIVE_UP_MS) return end(failure)
      if (delay > 0) await sleep(delay, controller.signal)
      if (ended) return
    }
  }

  async function connect(openMs: number): Promise<Error> {
    try {
      await readUpstream(source, stationId, { signal: controller.signal, openMs }, handlePiece, onUnknownType)
      return new RadioUnavailable('stream ended')
    } catch (error) {
      // Hide messages of system errors: they may contain internal addresses.
      return error instanceof AppError || error instanceof RadioUnavailable
        ? error
        : new RadioUnavailable(`stream failed: ${errorCodeOf(error)}`)
    }
  }

  function handleTitle(next: string): void {
    if (next === title) return
    title = next
    listenerGroup.setTitle(next)
    onTitle(next)
  }

  function end(failure: Error | null): void {
    if (ended) return
    ended = true
    controller.abort()
    for (const timer of [lingerTimer, settleTimer, spliceTimer]) clearTimeout(timer)
    listenerGroup.endAll()
    ready.reject(failure ?? new RadioUnavailable('radio is closing'))
    onEnd(failure)
  }

  const size = () => listenerGroup.size() + waitingListeners
  function lingerIfUnused(): void {
    clearTimeout(lingerTimer)
    if (!ended && size() === 0) lingerTimer = setTimeout(() => end(null), lingerMs)
  }

  run()
  return {
    size,
    listeners: listenerGroup.size,
    close: () => end(null),

    /** @throws the error that prevented the stream from opening */
    async listen(listener: RelayListener): Promise<{ type: string; leave: () => void }> {
      waitingListeners++
      clearTimeout(lingerTimer)
      try {
        while (!ready.isDone) await ready.promise
      } catch (error) {
        waitingListeners--
        throw error
      }
      const joinedFormat = format
      let hasLeft = false
      // Join later, so that the caller can send the response headers first.
      setImmediate(() => {
        waitingListeners--
        if (ended || format !== joinedFormat) listener.end()
        else if (!hasLeft) listenerGroup.join(listener, lingerIfUnused)
        lingerIfUnused()
      })
      return {
        type,
        leave: () => {
          if (hasLeft) return
          hasLeft = true
          listenerGroup.leave(listener)
          lingerIfUnused()
        },
      }
    },
  }
}

function errorCodeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'no code'
}
