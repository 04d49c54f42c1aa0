import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'

/** ms; who takes the question and does not answer it is as deaf as before */
const LISTEN_WITHIN = 10_000

export type ListenerOptions = {
  /** makes a pool of one connection */
  open: () => Sql
  channel: string
  onPayload: (payload: string) => void
  /** nobody listened for a while: something may have been missed */
  onLost: () => void
  /** sends an empty notification over another connection */
  notify: (channel: string) => Promise<unknown>
  /** ms between two beats */
  beatMs: number
}

/**
 * Listens to a channel on a connection of its own, which the driver renews when it is lost. One that only listens
 * never learns that the way to it was cut without a word: so it is sent a beat now and then, and replaced when one
 * was not heard.
 */
export async function openListener(options: ListenerOptions): Promise<{ close(): Promise<void> }> {
  const { open, channel, onPayload, onLost, notify, beatMs } = options
  const pulse = `beat-${randomBytes(8).toString('hex')}`
  let connection = open()
  let beat: 'sending' | 'sent' | 'heard' | 'failed' | 'listening' = 'listening'
  let closed = false
  const closing: Promise<void>[] = []

  async function listen(hasMissed: boolean): Promise<void> {
    let missed = hasMissed
    await connection.listen(channel, onPayload, () => {
      if (missed) onLost()
      missed = true
    })
    await connection.listen(pulse, () => {
      beat = 'heard'
    })
  }

  async function replace(): Promise<void> {
    beat = 'listening'
    closing.push(connection.end({ timeout: 0 }))
    connection = open()
    // Where there is no database now, the next beat finds it as deaf as the one before.
    await Promise.race([listen(true).catch(() => {}), sleep(LISTEN_WITHIN, undefined, { ref: false })])
    beat = 'failed'
  }

  async function send(): Promise<void> {
    beat = 'sending'
    try {
      await notify(pulse)
      if (beat === 'sending') beat = 'sent'
    } catch {
      beat = 'failed'
    }
  }

  const timer = setInterval(() => {
    if (closed || beat === 'sending' || beat === 'listening') return
    void (beat === 'sent' ? replace() : send())
  }, beatMs).unref()

  const close = async () => {
    closed = true
    clearInterval(timer)
    await Promise.all([connection.end({ timeout: 1 }), ...closing])
  }
  try {
    await listen(false)
    beat = 'failed'
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}
