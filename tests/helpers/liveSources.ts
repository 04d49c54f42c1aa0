import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser, findUser } from '#server/features/auth/service.ts'
import type { TestSite } from './site.ts'
import { addStreamer } from './streamers.ts'

/** Creates a member who may stream, and returns their id. The password for streaming is `password-NAME`. */
export async function createStreamer({ app }: Pick<TestSite, 'app'>, name: string): Promise<string> {
  const { db } = app.services
  const email = `${name}@example.org`
  await createUser(db, { email, role: 'member', password: 'correct horse battery' })
  await addStreamer(db, email, name)
  const user = await findUser(db, email)
  if (!user) throw new Error('User was not created')
  return user.id
}

export const basic = (name: string) => `Basic ${Buffer.from(`source:password-${name}`).toString('base64')}`

export type RawSource = {
  socket: Socket
  /** everything that the server has sent */
  answer: () => string
  isClosed: () => boolean
  /** Sends frames in real time. Stops when the connection or the source ends. */
  play: (frames: Buffer[], secondsPerFrame?: number) => Promise<void>
  stop: () => void
}

type Options = { method?: string; version?: string; path?: string; name?: string; lines?: string[]; type?: string }

/** Connects a source over a raw socket. It sends only the head. */
export function connectSource(
  port: number,
  {
    method = 'SOURCE',
    version = 'HTTP/1.0',
    path = '/live',
    name = 'ann',
    lines = [],
    type = 'audio/mpeg',
  }: Options = {},
): RawSource {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let isClosed = false
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  const own = [`Authorization: ${basic(name)}`, `Content-Type: ${type}`, 'User-Agent: Test/1.0']
  socket.write([`${method} ${path} ${version}`, 'Host: localhost', ...own, ...lines, '', ''].join('\r\n'))
  return {
    socket,
    answer: () => received,
    isClosed: () => isClosed,
    async play(frames, secondsPerFrame = 1152 / 44_100) {
      const start = performance.now()
      for (let sent = 0; sent < frames.length && !isClosed && !socket.writableEnded; await sleep(20)) {
        const due = Math.min(frames.length, Math.floor((performance.now() - start) / 1000 / secondsPerFrame) + 1)
        if (due > sent) socket.write(Buffer.concat(frames.slice(sent, due)))
        sent = Math.max(sent, due)
      }
    },
    stop: () => socket.destroy(),
  }
}

/** Polls until a condition is true. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  for (const end = Date.now() + withinMs; !(await isSo()); await sleep(10)) {
    if (Date.now() > end) throw new Error(`Still false after ${withinMs} ms: ${isSo}`)
  }
}
