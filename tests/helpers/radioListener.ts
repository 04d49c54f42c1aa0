import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A mark in the frames of `mp3.ts`. `at`: when it arrived, in ms since the start of the process */
export type HeardMark = { track: number; frame: number; at: number }
export type RadioListener = {
  /** marks of the frames so far, in order */
  marks: HeardMark[]
  /** connections that were opened again */
  reconnects: () => number
  /** longest time in which a player would have had nothing to play, in ms */
  longestSilence: () => number
  stop: () => void
}

const RECONNECT_MS = 200
const FRAME_MS = (1152 / 44_100) * 1000

/**
 * Listens to the station as a player does: it plays what it has received in real time. If the stream ends, it drops the
 * rest and connects again. Expects frames of `mp3.ts`.
 */
export function listenToRadio(port: number): RadioListener {
  const marks: HeardMark[] = []
  let socket: Socket
  let isStopped = false
  let connections = 0
  let longestSilence = 0
  /** end of the received sound, in ms since the start of the process; null before the first sound */
  let playsUntil: number | null = null

  async function run(): Promise<void> {
    while (!isStopped) {
      connections++
      socket = connect(port, '127.0.0.1')
      socket.write('GET /radio/1/stream HTTP/1.0\r\n\r\n')
      await readAll(socket).catch(() => {})
      const now = performance.now()
      playsUntil = playsUntil && Math.min(playsUntil, now)
      if (!isStopped) await sleep(RECONNECT_MS)
    }
  }

  async function readAll(stream: Socket): Promise<void> {
    let rest = Buffer.alloc(0)
    let hasHead = false
    for await (const chunk of stream) {
      rest = Buffer.concat([rest, chunk])
      if (!hasHead) {
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) continue
        hasHead = true
        rest = rest.subarray(end + 4)
      }
      const now = performance.now()
      const heard = marks.length
      rest = takeFrames(rest, now)
      if (marks.length === heard) continue
      longestSilence = Math.max(longestSilence, now - (playsUntil ?? now))
      playsUntil = Math.max(now, playsUntil ?? now) + (marks.length - heard) * FRAME_MS
    }
  }

  /** @returns the bytes of the last frame that is not complete */
  function takeFrames(bytes: Buffer, now: number): Buffer<ArrayBuffer> {
    let at = 0
    for (;;) {
      const length = 417 + (((bytes[at + 2] ?? 0) >> 1) & 1)
      if (at + length > bytes.length) return Buffer.from(bytes.subarray(at))
      const [, track = 0, ...digits] = bytes.subarray(at + length - 6, at + length)
      marks.push({ track, frame: digits.reduce((sum, digit) => sum * 128 + digit, 0), at: now })
      at += length
    }
  }

  void run()
  return {
    marks,
    reconnects: () => connections - 1,
    longestSilence: () => Math.max(longestSilence, performance.now() - (playsUntil ?? performance.now())),
    stop: () => {
      isStopped = true
      socket.destroy()
    },
  }
}
