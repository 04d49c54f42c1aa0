import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOfTree } from './machine.ts'

/** Enough requests at once that neither side waits for the other. */
const CONNECTIONS = 8
const DEPTH = 16
/** Large reads keep the load generator cheaper than the server. */
const READ_BYTES = 4 * 1024 * 1024
const WARM_UP_SECONDS = 1
const DRAIN_MS = 5000

export type PipelinedFigures = { perSecond: number; cpu: number | null; loadBusy: number }

/**
 * Sends the same request again and again, several at once per connection, and counts responses by their length. Parses
 * nothing, so that one core can load a server that is much faster than this site.
 * @param pid a server process; its CPU time is counted with that of its children
 * @param responseBytes length of each response with its head
 * @throws Error if a response has another length: refusals would falsify the figures
 */
export async function measurePipelined(
  port: number,
  pid: number,
  request: Buffer,
  responseBytes: number,
  seconds: number,
): Promise<PipelinedFigures> {
  const connections = Array.from({ length: CONNECTIONS }, () => openConnection(port, request, responseBytes))
  const count = () => connections.reduce((sum, { responses }) => sum + responses(), 0)
  try {
    await sleep(WARM_UP_SECONDS * 1000)
    const [start, first, cpu, load] = [performance.now(), count(), cpuOfTree(pid), process.cpuUsage()]
    await sleep(seconds * 1000)
    const [end, last, spent, busy] = [performance.now(), count(), cpuOfTree(pid), process.cpuUsage(load)]
    await Promise.all(connections.map(({ drain }) => drain()))
    return {
      perSecond: ((last - first) * 1000) / (end - start),
      cpu: cpu === null || spent === null ? null : (spent - cpu) / (last - first),
      loadBusy: (busy.user + busy.system) / 1000 / (end - start),
    }
  } finally {
    for (const { socket } of connections) socket.destroy()
  }
}

function openConnection(port: number, request: Buffer, responseBytes: number) {
  const requests = Array.from({ length: DEPTH + 1 }, (_, count) => Buffer.concat(Array(count).fill(request)))
  let sent = DEPTH
  let received = 0
  let isDraining = false
  const responses = () => Math.floor(received / responseBytes)

  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer: Buffer.alloc(READ_BYTES),
      callback(bytes) {
        received += bytes
        const missing = responses() + DEPTH - sent
        if (missing > 0 && !isDraining) {
          sent += missing
          socket.write(requests[missing] as Buffer)
        }
        return true
      },
    },
  })
  socket.on('error', () => {})
  socket.write(requests[DEPTH] as Buffer)

  return {
    socket,
    responses,
    /** Waits for the rest of the responses. */
    async drain(): Promise<void> {
      isDraining = true
      for (const end = Date.now() + DRAIN_MS; received < sent * responseBytes && Date.now() < end; ) await sleep(10)
      if (received !== sent * responseBytes) {
        throw new Error(`${sent} responses have ${received} bytes instead of ${sent * responseBytes}`)
      }
      socket.end()
      await once(socket, 'close').catch(() => {})
    },
  }
}
