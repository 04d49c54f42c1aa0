import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '#server/features/auth/service.ts'
import { createMpegParser, type Frame } from '#server/features/radio/input/frames/mpeg.ts'
import { DEMO_TRACK } from '#server/features/radio/library/library.ts'
import { encode } from '#tests/bench/connection.ts'
import { newVisitor } from '#tests/bench/forms.ts'
import { cpuOf, memoryOf } from '#tests/bench/machine.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { addStreamer } from '#tests/helpers/streamers.ts'

const LISTENERS = 200
const HANDOVERS = 100
const HANDOVER_LISTENERS = 50
const LIVE_SECONDS = 30
/** Frames of each broadcast, about two seconds. */
const FRAMES = 77
const STREAMERS = ['Ann', 'Bob']
const TIMEOUT_MS = 20_000

const WEBHOOK_PORT = 3999
/** Announcements go to a server that counts them. */
export const WEBHOOK = {
  RADIO_WEBHOOK_URL: `http://127.0.0.1:${WEBHOOK_PORT}/`,
  RADIO_WEBHOOK_SECRET: 'a secret of the bench',
}

type Source = { socket: Socket; play: (frames: Frame[]) => Promise<void> }

/**
 * Measures a live show: the cost of a source, its recording and listeners, and handovers from streamer to streamer. The
 * show's threads open on the seeded board.
 */
export async function shows(run: Run, site: Server): Promise<void> {
  const frames = createMpegParser().push(readFileSync(DEMO_TRACK))
  const passwords = await addStreamers(run)
  await measureLive(run, site, frames, passwords[0] ?? '')
  await measureHandovers(run, site, frames, passwords)
}

async function measureLive(run: Run, site: Server, frames: Frame[], password: string): Promise<void> {
  const seconds = run.quick ? LIVE_SECONDS / 3 : LIVE_SECONDS
  const source = await goLive(site.port, password)
  const playing = source.play(repeat(frames, seconds + 10))
  const listeners = await listen(site.port, LISTENERS)
  await sleep(5000)
  const [cpu, start] = [cpuOf(site.pid), performance.now()]
  await sleep(seconds * 1000)
  const spent = cpuOf(site.pid)
  const memory = memoryOf(site.pid)
  run.add('show', `1 source, its recording, ${LISTENERS} listeners`, {
    'CPU, % of a core': cpu === null || spent === null ? null : (spent - cpu) / (performance.now() - start) / 0.01,
    'MB in total': memory?.now ?? null,
    lost: listeners.lost(),
  })
  source.socket.destroy()
  await playing
  listeners.close()
}

async function measureHandovers(run: Run, site: Server, frames: Frame[], passwords: string[]): Promise<void> {
  const count = run.quick ? HANDOVERS / 5 : HANDOVERS
  const database = await run.installation.open()
  const sent = frames.slice(0, FRAMES)
  const announcements = await countAnnouncements()
  try {
    const [last] = await database.sql<{ id: string }[]>`select coalesce(max(id), 0) as id from broadcast`
    const before = Number(last?.id)
    const listeners = await listen(site.port, HANDOVER_LISTENERS)
    // Not the streamer before: their broadcast would go on.
    const announcedBefore = announcements.count()
    let next = goLive(site.port, passwords.at(-1) ?? '')
    for (let number = 0; number < count; number++) {
      const source = await next
      await source.play(sent)
      // The next streamer stands by when this one leaves.
      next = goLive(site.port, passwords[number % passwords.length] ?? '')
      await next
      source.socket.end()
    }
    ;(await next).socket.destroy()
    const bytes = sent.reduce((sum, frame) => sum + frame.bytes.length, 0)
    const read = async () => {
      const [row] = await database.sql<{ broadcasts: number; threads: number; complete: number }[]>`
        select count(*)::int as broadcasts, count(thread_id)::int as threads,
          (count(*) filter (where bytes = ${bytes}))::int as complete
        from broadcast where id > ${before} and ended_at is not null and bytes > 0`
      return row ?? null
    }
    let row = await read()
    for (
      const end = performance.now() + TIMEOUT_MS;
      performance.now() < end && row?.complete !== count;
      row = await read()
    )
      await sleep(500)
    run.add('show', `${count} handovers, ${HANDOVER_LISTENERS} listeners`, {
      ...row,
      announced: announcements.count() - announcedBefore,
      lost: listeners.lost(),
    })
    listeners.close()
  } finally {
    announcements.close()
    await database.close()
  }
}

/** Counts the starts of broadcasts that the webhook receives. */
async function countAnnouncements() {
  let count = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (body.includes('"broadcast.started"')) count++
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(WEBHOOK_PORT, '127.0.0.1', resolve))
  return { count: () => count, close: () => server.close() }
}

/** @returns the passwords for streaming */
async function addStreamers(run: Run): Promise<string[]> {
  const database = await run.installation.open()
  try {
    for (const name of STREAMERS) {
      const email = `${name}@example.org`.toLowerCase()
      await createUser(database.db, { email, role: 'member', password: 'correct horse battery' })
      await addStreamer(database.db, email, name)
    }
    return STREAMERS.map((name) => `password-${name}`)
  } finally {
    await database.close()
  }
}

/** Connects a source and waits until the site has accepted it. */
function goLive(port: number, password: string): Promise<Source> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const login = Buffer.from(`source:${password}`).toString('base64')
      const address = Object.entries(newVisitor()).map(([name, value]) => `${name}: ${value}`)
      const head = ['SOURCE /live HTTP/1.0', `Authorization: Basic ${login}`, 'Content-Type: audio/mpeg', ...address]
      socket.write([...head, '', ''].join('\r\n'))
    })
    socket.on('error', reject)
    socket.once('data', (chunk) => {
      const answer = chunk.toString('latin1')
      if (answer.startsWith('HTTP/1.0 200')) resolve({ socket, play: (frames) => play(socket, frames) })
      else reject(new Error(`The source was refused: ${answer}`))
    })
  })
}

/** Sends frames in real time. */
async function play(socket: Socket, frames: Frame[]): Promise<void> {
  const start = performance.now()
  let sentSeconds = 0
  for (const { bytes, seconds } of frames) {
    if (socket.destroyed) return
    const aheadMs = sentSeconds * 1000 - (performance.now() - start)
    if (aheadMs > 20) await sleep(aheadMs)
    socket.write(bytes)
    sentSeconds += seconds
  }
}

const repeat = (frames: Frame[], seconds: number): Frame[] => {
  const length = Math.ceil(seconds / (frames[0]?.seconds ?? 1))
  return Array.from({ length }, (_, index) => frames[index % frames.length] as Frame)
}

async function listen(port: number, count: number) {
  let lost = 0
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(encode({ path: '/radio/1/stream', headers: newVisitor() })),
    )
    socket.on('error', () => lost++)
    socket.on('end', () => lost++)
    socket.resume()
    return socket
  })
  await sleep(2000)
  return {
    lost: () => lost,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
