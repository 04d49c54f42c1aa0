import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { withTimeout } from './withTimeout.server.ts'

/** ms; who takes the question and gives no answer is as good as away */
const LISTEN_WITHIN = 10_000
const RETRY_AFTER = 500

type Handlers = { onnotify: (channel: string, payload: string) => void; onclose: () => void }
export type ListenerOptions = {
  /** makes a pool of one connection */
  open: (handlers: Handlers) => Sql
  channel: string
  onPayload: (payload: string) => void
  /** nobody listened for a while: something may have been missed */
  onReconnect: () => void
  /** ms between two looks whether it is still there, and for their answers */
  heartbeatMs: number
}

/**
 * Listens to a channel on a connection of its own, and on a new one when that is lost. One that only listens never
 * learns that the way to it was cut without a word: so it is asked something now and then, and replaced when it gives
 * no answer. The driver's own `listen` does neither, and tells of one loss several times.
 * @throws what the driver throws, when it cannot listen at the beginning
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
        lose(connection)
      },
    })
    try {
      await withTimeout(connection.unsafe(`listen ${channel}`), LISTEN_WITHIN)
      if (!isOpen) throw new Error('The listening connection was closed')
      return connection
    } catch (error) {
      void connection.end({ timeout: 0 })
      throw error
    }
  }

  function lose(connection: Sql): void {
    if (connection !== current) return
    current = undefined
    // It would connect again by itself, and not listen.
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
      await sleep(RETRY_AFTER, undefined, { ref: false })
    }
  }

  current = await listen()
  const timer = setInterval(() => {
    const asked = current
    if (asked) withTimeout(asked.unsafe('select 1'), heartbeatMs).catch(() => lose(asked))
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
