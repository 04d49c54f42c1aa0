import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { withTimeout } from './withTimeout.server.ts'

const LISTEN_TIMEOUT_MS = 10_000
const RETRY_MS = 500

type Handlers = { onnotify: (channel: string, payload: string) => void; onclose: () => void }
type ListenerOptions = {
  open: (handlers: Handlers) => Sql
  channel: string
  onPayload: (payload: string) => void
  /** runs when the listener is connected again: it may have missed notifications */
  onReconnect: () => void
  heartbeatMs: number
}

/**
 * Listens on a dedicated connection, queries it to detect a broken network, and replaces a lost connection. The
 * `listen` function of postgres.js does not do this, and reports one loss several times.
 * @throws the driver's error if the first connection fails
 */
export async function openListener(options: ListenerOptions): Promise<{ close(): Promise<void> }> {
  const { open, channel, onPayload, onReconnect, heartbeatMs } = options
  let current: Sql | undefined
  let closed = false

  async function listen(): Promise<Sql> {
    let isOpen = true
    const connection = open({
      onnotify: (_channel, payload) => onPayload(payload),
      onclose: () => {
        isOpen = false
        replace(connection)
      },
    })
    try {
      await withTimeout(connection.unsafe(`listen ${channel}`), LISTEN_TIMEOUT_MS)
      if (!isOpen) throw new Error('The listening connection was closed')
      return connection
    } catch (error) {
      void connection.end({ timeout: 0 })
      throw error
    }
  }

  function replace(connection: Sql): void {
    if (connection !== current) return
    current = undefined
    // Without `end`, postgres.js would reconnect without listening.
    void connection.end({ timeout: 0 })
    void listenAgain()
  }

  async function listenAgain(): Promise<void> {
    while (!closed) {
      const connection = await listen().catch(() => null)
      if (connection && closed) return void connection.end({ timeout: 0 })
      if (connection) {
        current = connection
        return onReconnect()
      }
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }

  current = await listen()
  const timer = setInterval(() => {
    const checked = current
    if (checked) withTimeout(checked.unsafe('select 1'), heartbeatMs).catch(() => replace(checked))
  }, heartbeatMs).unref()
  return {
    async close() {
      closed = true
      clearInterval(timer)
      const last = current
      current = undefined
      await last?.end({ timeout: 1 })
    },
  }
}
