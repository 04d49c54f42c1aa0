import { setTimeout as sleep } from 'node:timers/promises'
import superjson from 'superjson'
import { type RequestSpec, sendOnce } from '#tests/bench/connection.ts'
import { formPost, jsonPost, newVisitor, THREADS } from '#tests/bench/forms.ts'
import { flood, measurePeak, probe, probeFigures, send, sendSlowly, sendWithoutReading } from '#tests/bench/pressure.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { illegalImages, largeImages, longPastes } from '#tests/bench/worstInputs.ts'
import { fillWithWorst } from './worst.ts'

/** Pause between attacks, so that the site can recover. */
const REST_MS = 2000
const CONNECTIONS = 40

type Attack = (port: number, signal: AbortSignal) => Promise<unknown>

/**
 * Attacks a site with 768 MB of heap from one network, an IPv6 /48. Measures the latency of `/healthz` for another
 * visitor, peak memory, and whether the site serves a page afterwards.
 */
export async function attacks(run: Run, site: Server): Promise<void> {
  const full = await fillWithWorst(run, site)
  for (const [name, attack] of Object.entries(await chooseAttacks(site, full))) {
    const { result, peak } = await measurePeak(site.pid, () => runAttack(site, attack, run.quick ? 4000 : 10_000))
    const { status } = await send(site.port, { path: '/', headers: newVisitor() })
    run.add('attacks from one network', name, { ...result, 'peak MB': peak, 'page status after': status })
    await sleep(REST_MS)
  }
}

async function runAttack({ port }: Server, attack: Attack, ms: number) {
  const signal = AbortSignal.timeout(ms)
  const [times, statuses] = await Promise.all([probe(port, signal), attack(port, signal)])
  const counts = Object.entries((statuses ?? {}) as Record<string, number>)
  return { ...probeFigures(times), responses: counts.map(([status, count]) => `${count} × ${status}`).join(', ') }
}

let requests = 0
/** Returns the header for a new address: each request uses another /64 of the same /48. */
const fromNetwork = () => ({ 'x-forwarded-for': `2600:1f18:7:${(requests++ % 65_536).toString(16)}::1` })

async function chooseAttacks(site: Server, full: Record<string, number>): Promise<Record<string, Attack>> {
  const page = (name: string) => `/dtpchan/board/${BOARD}/thread/${full[name]}`
  const paste = await sendOnce(site.port, jsonPost('/api/paste', { content: longPastes.code, expiryHours: 24 }))
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
  const input = superjson.serialize({ topics: Object.values(full).map((id) => `thread:${id}`), lastEventId: '0' })
  const trpc = (path: string, input: unknown) => `/trpc/${path}input=${encodeURIComponent(JSON.stringify(input))}`

  const attackRequests: Record<string, () => RequestSpec> = {
    'typed arrays as inputs': request(trpc('board.threads?', typedArray)),
    'pages of full threads': request(page('bytes')),
    'batches of full threads': request(trpc(`${Array(20).fill('board.thread').join(',')}?batch=1&`, batch)),
    'missing pages': () => ({ path: `/${requests}/${'x'.repeat(50)}`, headers: fromNetwork() }),
    'threads without a captcha': () => jsonPost(THREADS, { title: 'a', content: 'b', author: 'cc' }, fromNetwork()),
    captchas: () => jsonPost('/api/dtpchan/captcha', {}, fromNetwork()),
    'wrong passwords': () =>
      jsonPost(
        '/api/dtpchan/admin/login',
        { email: 'admin@example.org', password: `wrong ${requests}` },
        fromNetwork(),
      ),
    'pastes that are slow to highlight': () =>
      jsonPost('/api/paste', { content: `${requests}${longPastes.backtracking}`, expiryHours: 1 }, fromNetwork()),
    'large and broken images': () => {
      const upload = uploads[requests % uploads.length] as RequestSpec
      return { ...upload, headers: { ...upload.headers, ...fromNetwork() } }
    },
    'radio listeners': request('/radio/1/stream'),
    'event connections that replay': request(trpc('site.events?', input), { accept: 'text/event-stream' }),
    'unread pastes': request(`/paste/${pasteId}/raw`),
    'unread pages of full threads': request(page('bytes')),
    'slow uploads': () => ({ ...(uploads[0] as RequestSpec), headers: { ...uploads[0]?.headers, ...fromNetwork() } }),
  }
  const senders: Record<string, (port: number, signal: AbortSignal, next: () => RequestSpec) => Promise<unknown>> = {
    'radio listeners': (port, signal, next) => sendWithoutReading(port, signal, 1000, next),
    'event connections that replay': (port, signal, next) => sendWithoutReading(port, signal, 400, next),
    'unread pastes': (port, signal, next) => sendWithoutReading(port, signal, 400, next),
    'unread pages of full threads': (port, signal, next) => sendWithoutReading(port, signal, 400, next),
    'slow uploads': (port, signal, next) => sendSlowly(port, signal, 100, next),
  }
  const sendAll = (port: number, signal: AbortSignal, next: () => RequestSpec) => flood(port, signal, CONNECTIONS, next)
  return Object.fromEntries(
    Object.entries(attackRequests).map(([name, next]) => [
      name,
      (port, signal) => (senders[name] ?? sendAll)(port, signal, next),
    ]),
  )
}

const request = (path: string, headers: Record<string, string> = {}) => {
  return (): RequestSpec => ({ path, headers: { ...fromNetwork(), ...headers } })
}
