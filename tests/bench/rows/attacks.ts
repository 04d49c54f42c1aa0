import { setTimeout as sleep } from 'node:timers/promises'
import superjson from 'superjson'
import { type Ask, askOnce } from '#tests/bench/connection.ts'
import { asVisitor, formPost, jsonPost, THREADS } from '#tests/bench/forms.ts'
import { drip, flood, leaveUnread, probe, probeFigures, send, withPeak } from '#tests/bench/pressure.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { illegalImages, largeImages, longPastes } from '#tests/bench/worstInputs.ts'
import { fillWithWorst } from './worst.ts'

/** Seconds between two attacks, in which the site gets rid of the one before. */
const REST_MS = 2000
const CONNECTIONS = 40

type Attack = (port: number, signal: AbortSignal) => Promise<unknown>

/**
 * Attacks from one network, a /48 of IPv6, on a site of 768 MB of heap: how long another visitor waits for `/healthz`
 * meanwhile, the most memory, and whether a page is answered afterwards.
 */
export async function attacks(run: Run, site: Server): Promise<void> {
  const full = await fillWithWorst(run, site)
  for (const [name, attack] of Object.entries(await chooseAttacks(site, full))) {
    const { result, most } = await withPeak(site.pid, () => runAttack(site, attack, run.quick ? 4000 : 10_000))
    const { status } = await send(site.port, { path: '/', headers: asVisitor() })
    run.add('attacks from one network', name, { ...result, 'MB at most': most, 'page afterwards': status })
    await sleep(REST_MS)
  }
}

async function runAttack({ port }: Server, attack: Attack, ms: number) {
  const signal = AbortSignal.timeout(ms)
  const [times, statuses] = await Promise.all([probe(port, signal), attack(port, signal)])
  const counts = Object.entries((statuses ?? {}) as Record<string, number>)
  return { ...probeFigures(times), answers: counts.map(([status, count]) => `${count} × ${status}`).join(', ') }
}

let asked = 0
/** Another /64 of the same /48 for each request. */
const fromNetwork = () => ({ 'x-forwarded-for': `2600:1f18:7:${(asked++ % 65_536).toString(16)}::1` })

async function chooseAttacks(site: Server, full: Record<string, number>): Promise<Record<string, Attack>> {
  const page = (name: string) => `/dtpchan/board/${BOARD}/thread/${full[name]}`
  const paste = await askOnce(site.port, jsonPost('/api/paste', { content: longPastes.code, expiryHours: 24 }))
  const pasteId = JSON.parse(paste.body.toString()).url.split('/').at(-1)
  const images = { ...illegalImages, ...(await largeImages()) }
  const uploads = await Promise.all(
    Object.entries(images).map(([name, bytes]) =>
      formPost('/api/image-share', {
        image: new File([new Uint8Array(bytes)], name, { type: 'image/png' }),
        expiryHours: '1',
      }),
    ),
  )
  const typedArray = { json: { length: 4e9 }, meta: { values: [['typed-array', 'Uint8Array']] } }
  const thread = superjson.serialize({ boardId: BOARD, threadId: full.bytes })
  const batch = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, thread]))
  const live = superjson.serialize({ topics: Object.values(full).map((id) => `thread:${id}`), lastEventId: '0' })
  const trpc = (path: string, input: unknown) => `/trpc/${path}input=${encodeURIComponent(JSON.stringify(input))}`

  const asks: Record<string, () => Ask> = {
    'typed arrays as inputs': asking(trpc('board.threads?', typedArray)),
    'pages of full threads': asking(page('bytes')),
    'batches of full threads': asking(trpc(`${Array(20).fill('board.thread').join(',')}?batch=1&`, batch)),
    'pages that are not there': () => ({ path: `/${asked}/${'x'.repeat(50)}`, headers: fromNetwork() }),
    'threads without a captcha': () => jsonPost(THREADS, { title: 'a', content: 'b', author: 'cc' }, fromNetwork()),
    captchas: () => jsonPost('/api/dtpchan/captcha', {}, fromNetwork()),
    'wrong passwords': () =>
      jsonPost('/api/dtpchan/admin/login', { email: 'admin@example.org', password: `wrong ${asked}` }, fromNetwork()),
    'pastes that are slow to colour': () =>
      jsonPost('/api/paste', { content: `${asked}${longPastes.backtracking}`, expiryHours: 1 }, fromNetwork()),
    'large and broken images': () => {
      const upload = uploads[asked % uploads.length] as Ask
      return { ...upload, headers: { ...upload.headers, ...fromNetwork() } }
    },
    'radio listeners': asking('/radio/1/stream'),
    'event connections that replay': asking(trpc('site.live?', live), { accept: 'text/event-stream' }),
    'unread pastes': asking(`/paste/${pasteId}/raw`),
    'unread pages of full threads': asking(page('bytes')),
    'slow uploads': () => ({ ...(uploads[0] as Ask), headers: { ...uploads[0]?.headers, ...fromNetwork() } }),
  }
  const senders: Record<string, (port: number, signal: AbortSignal, next: () => Ask) => Promise<unknown>> = {
    'radio listeners': (port, signal, next) => leaveUnread(port, signal, 1000, next),
    'event connections that replay': (port, signal, next) => leaveUnread(port, signal, 400, next),
    'unread pastes': (port, signal, next) => leaveUnread(port, signal, 400, next),
    'unread pages of full threads': (port, signal, next) => leaveUnread(port, signal, 400, next),
    'slow uploads': (port, signal, next) => drip(port, signal, 100, next),
  }
  const sendAll = (port: number, signal: AbortSignal, next: () => Ask) => flood(port, signal, CONNECTIONS, next)
  return Object.fromEntries(
    Object.entries(asks).map(([name, next]) => [
      name,
      (port, signal) => (senders[name] ?? sendAll)(port, signal, next),
    ]),
  )
}

const asking = (path: string, headers: Record<string, string> = {}) => {
  return (): Ask => ({ path, headers: { ...fromNetwork(), ...headers } })
}
