import type { IncomingMessage, ServerResponse } from 'node:http'

/** audio bytes between two ICY metadata blocks */
const METADATA_EVERY = 8192
const TICK_MS = 100
/** size of Icecast's initial burst */
const BURST_BYTES = 64 * 1024

/** Returns silent MP3 frames: MPEG 1, layer III, 128 kbps, 44.1 kHz, stereo. */
export function silence(seconds: number): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x64])
  return Buffer.concat(Array<Buffer>(Math.ceil((seconds * 44_100) / 1152)).fill(frame))
}

/**
 * Streams `sound` in a loop to all listeners in real time, with ICY metadata on request.
 * @param title returns the current title
 */
export function endlessSound(sound: Buffer, bytesPerSecond: number, title: () => string) {
  const listeners = new Set<ServerResponse>()

  return {
    count: () => listeners.size,
    kill(): void {
      for (const response of listeners) response.destroy()
    },
    add(request: IncomingMessage, response: ServerResponse): void {
      const metadata = request.headers['icy-metadata'] === '1'
      const head = { 'content-type': 'audio/mpeg', ...(metadata && { 'icy-metaint': String(METADATA_EVERY) }) }
      response.writeHead(200, head)
      listeners.add(response)
      const piece = pieces(sound)
      const send = metadata
        ? withMetadata((bytes) => response.write(bytes), title)
        : (bytes: Buffer) => response.write(bytes)
      send(piece(BURST_BYTES))
      let last = performance.now()
      const timer = setInterval(() => {
        const now = performance.now()
        send(piece(Math.round(((now - last) * bytesPerSecond) / 1000)))
        last = now
      }, TICK_MS)
      response.on('close', () => {
        clearInterval(timer)
        listeners.delete(response)
      })
    },
  }
}

/** Creates a function that returns the next bytes of the looping sound. */
function pieces(sound: Buffer): (length: number) => Buffer {
  let at = 0
  return (length) => {
    const piece = Buffer.alloc(length)
    for (let filled = 0; filled < length; ) {
      const copied = sound.copy(piece, filled, at, at + length - filled)
      filled += copied
      at = (at + copied) % sound.length
    }
    return piece
  }
}

/** Inserts ICY metadata blocks. A block is empty while the title is unchanged. */
function withMetadata(write: (bytes: Buffer) => void, title: () => string): (bytes: Buffer) => void {
  let left = METADATA_EVERY
  let told: string | null = null
  return (bytes) => {
    let rest = bytes
    while (rest.length >= left) {
      write(rest.subarray(0, left))
      rest = rest.subarray(left)
      left = METADATA_EVERY
      write(title() === told ? Buffer.from([0]) : block(title()))
      told = title()
    }
    write(rest)
    left -= rest.length
  }
}

function block(title: string): Buffer {
  const text = Buffer.from(`StreamTitle='${title}';`)
  const units = Math.ceil(text.length / 16)
  const bytes = Buffer.alloc(1 + units * 16)
  bytes[0] = units
  text.copy(bytes, 1)
  return bytes
}
