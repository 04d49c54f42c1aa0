import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Host } from './hostRow.ts'

/** Marks a source that another process passes on. */
export const PROCESS_HEADER = 'x-site-process'
/** Limits the wait for a process that hangs or is gone. */
const CONNECT_MS = 1000

/**
 * Passes the connection of a source on to the process that has the sources.
 * @param early bytes that came with the head
 * @returns false if that process cannot be reached
 */
export async function passOnSource(
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Socket,
  early: Buffer,
  host: Host,
  authorization: string,
): Promise<boolean> {
  const target = new URL(host.url)
  const upstream = connect({ host: target.hostname.replace(/^\[|\]$/g, ''), port: Number(target.port || 80) })
  upstream.setNoDelay(true)
  // Without this handler, an error event would crash the process. Its end also ends the source.
  upstream.on('error', () => {})
  try {
    await once(upstream, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
  } catch {
    upstream.destroy()
    return false
  }
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== PROCESS_HEADER ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  )
  const head = [`${method} ${url} HTTP/${httpVersion}`, ...headers, `${PROCESS_HEADER}: ${authorization}`, '', '']
  upstream.write(Buffer.from(head.join('\r\n'), 'latin1'))
  upstream.write(early)
  upstream.once('close', () => socket.destroySoon())
  socket.once('close', () => upstream.destroy())
  socket.pipe(upstream).pipe(socket)
  return true
}
