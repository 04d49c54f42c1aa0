import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Host } from './host.ts'

/** Marks a source that another process forwards. */
export const PROCESS_HEADER = 'x-site-process'
/** Limits the wait for a process that hangs or is gone. Linux repeats a lost first packet after 1 and 3 seconds. */
export const CONNECT_MS = 4000

export function createSourceForwarder(authorization: string) {
  /** open connections, with the process of the host */
  const upstreams = new Map<Socket, string>()
  return {
    /**
     * Forwards the connection of a source to the process that has the sources.
     * @param early bytes that came with the head
     * @returns false if that process cannot be reached
     */
    async forward(request: IncomingMessage, socket: Socket, early: Buffer, host: Host): Promise<boolean> {
      const upstream = await connectTo(host)
      if (!upstream) return false
      // The close event of the source may have been emitted during the wait.
      if (socket.destroyed) {
        upstream.destroy()
        return true
      }
      upstreams.set(upstream, host.process)
      upstream.once('close', () => {
        upstreams.delete(upstream)
        socket.destroySoon()
      })
      socket.once('close', () => upstream.destroy())
      upstream.write(encodeHead(request, authorization))
      upstream.write(early)
      socket.pipe(upstream).pipe(socket)
      return true
    },
    /** Disconnects the sources that are forwarded to a host. */
    disconnect({ process }: Host): void {
      for (const [upstream, target] of upstreams) if (target === process) upstream.destroy()
    },
  }
}

/** @returns null if the process does not accept the connection in time */
async function connectTo(host: Host): Promise<Socket | null> {
  const target = new URL(host.url)
  const upstream = connect({ host: target.hostname.replace(/^\[|\]$/g, ''), port: Number(target.port || 80) })
  upstream.setNoDelay(true)
  // Without this handler, an error event would crash the process. Its end also ends the source.
  upstream.on('error', () => {})
  try {
    await once(upstream, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
    return upstream
  } catch {
    upstream.destroy()
    return null
  }
}

function encodeHead({ method, url, httpVersion, rawHeaders }: IncomingMessage, authorization: string): Buffer {
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== PROCESS_HEADER ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  )
  const head = [`${method} ${url} HTTP/${httpVersion}`, ...headers, `${PROCESS_HEADER}: ${authorization}`, '', '']
  return Buffer.from(head.join('\r\n'), 'latin1')
}
