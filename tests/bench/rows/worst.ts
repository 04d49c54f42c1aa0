import superjson from 'superjson'
import { Connection, encode, type RequestSpec, sendOnce } from '#tests/bench/connection.ts'
import { formPost, jsonPost, newVisitor, preparePost, THREADS } from '#tests/bench/forms.ts'
import { cpuOfTree } from '#tests/bench/machine.ts'
import { mainThreadCpuOf, measurePeak, type Reply, send } from '#tests/bench/pressure.ts'
import type { Run } from '#tests/bench/run.ts'
import { BOARD } from '#tests/bench/seed.ts'
import type { Server } from '#tests/bench/servers.ts'
import { median } from '#tests/bench/statistics.ts'
import { illegalImages, largeImages, longPastes, longPosts } from '#tests/bench/worstInputs.ts'
import { createPaste } from './pastes.ts'

const BOARDS = '/api/dtpchan/boards'
/** More threads than a board page shows. */
const HEAVY_THREADS = 60
/** Comments that a board page shows per thread. */
const SHOWN_COMMENTS = 5
const BATCH = 20

type Prepare = () => RequestSpec | Promise<RequestSpec>
/** Requests by name. Each repetition prepares a new request. */
type Requests = Record<string, Prepare>

/** Fills a site with the most expensive posts. @returns the id of one full thread per kind of post */
export async function fillWithWorst(run: Run, site: Server): Promise<Record<string, number>> {
  const connection = new Connection(site.port)
  const post = async (path: string, fields: Record<string, string>) => {
    const { status, body } = await connection.send(
      encode(await preparePost(connection, path, { author: 'writer', ...fields })),
    )
    if (status !== 200 && status !== 409) throw new Error(`${path}: ${status} ${body}`)
    return status === 200 ? JSON.parse(body.toString()) : null
  }
  const full: Record<string, number> = {}
  try {
    for (const [name, content] of Object.entries({ ...longPosts, posts: '>>1' })) {
      const { thread } = await post(THREADS, { title: `Full of ${name}`, content })
      full[name] = thread.id
      while (await post(`${THREADS}/${thread.id}/comments`, { content }));
    }
    const content = longPosts.bytes
    for (let number = 0; number < (run.quick ? HEAVY_THREADS / 4 : HEAVY_THREADS); number++) {
      const { thread } = await post(THREADS, { title: '😀'.repeat(200), content })
      for (let at = 0; at < SHOWN_COMMENTS; at++) await post(`${THREADS}/${thread.id}/comments`, { content })
    }
  } finally {
    connection.close()
  }
  return full
}

/** Measures the most expensive known request of each kind on a site without a page cache. */
export async function worstRequests(run: Run, site: Server): Promise<void> {
  const full = await fillWithWorst(run, site)
  await warmUp(run, site)
  const groups = {
    'worst legal requests': { ...reads(full), ...(await pasteReads(site)), ...(await writes(run, site)) },
    'worst illegal requests': await illegalRequests(),
  }
  for (const [section, requests] of Object.entries(groups)) {
    for (const [name, prepare] of Object.entries(requests)) {
      run.add(section, name, await measureCost(site, run.quick ? 3 : 7, prepare))
    }
  }
}

/** Measures the median cost of a repeated request, and the increase in memory. */
async function measureCost(site: Server, times: number, prepare: Prepare) {
  const specs: RequestSpec[] = []
  for (let time = 0; time <= times; time++) specs.push(await prepare())
  const replies: Reply[] = [await send(site.port, specs.pop() as RequestSpec)]
  const loop: number[] = []
  const cpu: number[] = []
  const { increase } = await measurePeak(site.pid, async () => {
    for (const spec of specs) {
      const [loopBefore, cpuBefore] = [mainThreadCpuOf(site.pid), cpuOfTree(site.pid)]
      replies.push(await send(site.port, spec))
      loop.push((mainThreadCpuOf(site.pid) ?? Number.NaN) - (loopBefore ?? Number.NaN))
      cpu.push((cpuOfTree(site.pid) ?? Number.NaN) - (cpuBefore ?? Number.NaN))
    }
  })
  return {
    status: [...new Set(replies.map(({ status }) => status))].join(' '),
    'response kB': Math.max(...replies.map(({ bytes }) => bytes)) / 1000,
    'event loop ms': median(loop),
    'CPU ms': median(cpu),
    'MB increase': increase,
  }
}

const get = (path: string, headers: Record<string, string> = {}): Prepare => {
  return () => ({ path, headers: { ...newVisitor(), ...headers } })
}
const envelope = (input: unknown) => encodeURIComponent(JSON.stringify(input))
const batch = (procedure: string, input: unknown) => {
  const inputs = Object.fromEntries(Array.from({ length: BATCH }, (_, at) => [at, superjson.serialize(input)]))
  return get(`/trpc/${Array(BATCH).fill(procedure).join(',')}?batch=1&input=${envelope(inputs)}`)
}

async function warmUp(run: Run, site: Server): Promise<void> {
  const path = `/dtpchan/board/${BOARD}/thread/${run.seeded.busy}`
  for (let time = 0; time < 100; time++) await send(site.port, await get(path)())
}

function reads(full: Record<string, number>): Requests {
  const requests: Requests = {}
  for (const [name, threadId] of Object.entries(full)) {
    const page = `/dtpchan/board/${BOARD}/thread/${threadId}`
    const input = { boardId: BOARD, threadId }
    requests[`thread full of ${name}, page`] = get(page)
    requests[`thread full of ${name}, data of the page`] = get(`${page}/index.pageContext.json`)
    requests[`thread full of ${name}, call`] = get(`${THREADS}/${threadId}`)
    requests[`thread full of ${name}, feed`] = get(`${page}/feed.atom`)
    requests[`thread full of ${name}, ${BATCH} calls in a batch`] = batch('board.thread', input)
  }
  return {
    ...requests,
    'board of full threads, page': get(`/dtpchan/board/${BOARD}`),
    'board of full threads, call': get(THREADS),
    'board of full threads, feed': get(`/dtpchan/board/${BOARD}/feed.atom`),
    [`board of full threads, ${BATCH} calls in a batch`]: batch('board.threads', { boardId: BOARD }),
    boards: get('/dtpchan'),
    home: get('/'),
    news: get('/today-in-tech'),
    'site map': get('/sitemap.xml'),
    archive: get('/archive'),
  }
}

async function pasteReads(site: Server): Promise<Requests> {
  const requests: Requests = {}
  for (const [name, content] of Object.entries(longPastes)) {
    const spec = jsonPost('/api/paste', { content, expiryHours: 24, language: 'javascript' })
    const { status, body } = await sendOnce(site.port, spec)
    if (status !== 200) throw new Error(`Paste failed: ${status} ${body}`)
    const id = JSON.parse(body.toString()).url.split('/').at(-1)
    requests[`paste of ${name}, page`] = get(`/paste/${id}`)
    requests[`paste of ${name}, raw`] = get(`/paste/${id}/raw`)
    requests[`paste of ${name}, call`] = get(`/api/paste/${id}`)
    requests[`paste of ${name}, ${BATCH} calls in a batch`] = batch('paste.consume', { pasteId: id })
  }
  return requests
}

async function writes(run: Run, site: Server): Promise<Requests> {
  const [thread] = run.seeded.others
  const requests: Requests = {}
  const post = (path: string, fields: Record<string, string | Blob>): Prepare => {
    return async () => {
      const connection = new Connection(site.port)
      try {
        return await preparePost(connection, path, { author: 'writer', ...fields })
      } finally {
        connection.close()
      }
    }
  }
  for (const [name, content] of Object.entries(longPosts)) {
    requests[`comment of ${name}`] = post(`${THREADS}/${thread}/comments`, { content })
  }
  const images = await largeImages()
  for (const [name, bytes] of Object.entries(images)) {
    const image = new File([new Uint8Array(bytes)], 'image', { type: 'image/png' })
    requests[`image, ${name}`] = () => formPost('/api/image-share', { image, expiryHours: '1' })
  }
  for (const [name, content] of Object.entries(longPastes)) {
    requests[`new paste of ${name}`] = () => jsonPost('/api/paste', { content, expiryHours: 1 })
  }
  requests['login with a wrong password'] = () =>
    jsonPost('/api/dtpchan/admin/login', { email: 'admin@example.org', password: 'x'.repeat(100) })
  requests['reading a paste of 1 kB'] = get(`/api/paste/${await createPaste(site, 1000, 0)}`)
  return requests
}

async function illegalRequests(): Promise<Requests> {
  const typedArray = { json: { length: 4e9 }, meta: { values: [['typed-array', 'Uint8Array']] } }
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const requests: Requests = {
    'typed array of 4 GB as input': get(`/trpc/board.threads?input=${envelope(typedArray)}`),
    'input nested 2,000 deep': get(`/trpc/board.threads?input=${encodeURIComponent(deep(2000))}`),
    'batch of 500 calls': get(`/trpc/${Array(500).fill('board.boards').join(',')}?batch=1`),
    'JSON nested 100,000 deep': () => ({ ...jsonPost('/api/paste', null), body: Buffer.from(deep(100_000)) }),
    '1 MiB of JSON for a login': () =>
      jsonPost('/api/dtpchan/admin/login', { email: 'a'.repeat(2 ** 20), password: 'b' }),
    'a form of 1,000 fields': () =>
      formPost(THREADS, Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, 'x'.repeat(1000)]))),
    'a missing page': get(`/${'x'.repeat(2000)}`),
    'a missing board': get(`/dtpchan/board/${'x'.repeat(32)}`),
    'a call for a missing thread': get(`${BOARDS}/x/threads/999999999`),
    'a cursor of 8 kB': get(`${THREADS}?cursor=${'A'.repeat(8000)}`),
  }
  for (const [name, bytes] of Object.entries(illegalImages)) {
    const image = new File([new Uint8Array(bytes)], 'image', { type: 'image/png' })
    requests[`image, ${name}`] = () => formPost('/api/image-share', { image, expiryHours: '1' })
  }
  return requests
}
