import { encode, sendOnce } from '#tests/bench/connection.ts'
import { jsonPost, newVisitor } from '#tests/bench/forms.ts'
import { eachOnce, measure, repeatAll } from '#tests/bench/load.ts'
import { createLoad, type Run, toColumns } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { pageRequest } from './pages.ts'

const PATH = '/api/paste'
const SIZES = [
  { size: '1 kB', bytes: 1000, maxPerSecond: 3000 },
  { size: '100 kB', bytes: 100_000, maxPerSecond: 400 },
]
const READ_PASTES = 20
/** Number of read requests. Each has a different visitor, so that no network reaches its request cost limit. */
const READ_REQUESTS = 2000

/** Measures creating and reading pastes, and their pages. The server decrypts and counts each read, without a cache. */
export async function pastes(run: Run, site: Server): Promise<void> {
  const load = createLoad(run)
  for (const { size, bytes, maxPerSecond } of SIZES) {
    const count = Math.ceil((load.seconds + load.warmUp.seconds) * maxPerSecond)
    const created = Array.from({ length: count }, (_, number) => encode(jsonPost(PATH, newPaste(bytes, number))))
    run.add('pastes', `create, ${size}`, toColumns(await measure(site, load, eachOnce(created))))
    const ids = await Promise.all(Array.from({ length: READ_PASTES }, (_, number) => createPaste(site, bytes, number)))
    const repeatedIds = Array.from({ length: READ_REQUESTS }, (_, index) => ids[index % ids.length])
    const read = async (name: string, requests: Buffer[]) =>
      run.add('pastes', `${name}, ${size}`, toColumns(await measure(site, load, repeatAll(requests))))
    await read(
      'read',
      repeatedIds.map((id) => encode({ path: `${PATH}/${id}`, headers: newVisitor() })),
    )
    if (size === '1 kB')
      await read(
        'page',
        repeatedIds.map((id) => encode(pageRequest(`/paste/${id}`, 'br', newVisitor()))),
      )
  }
}

/** Creates a paste and returns its id. */
export async function createPaste(site: Server, bytes: number, number: number): Promise<string> {
  const { status, body } = await sendOnce(site.port, jsonPost(PATH, newPaste(bytes, number)))
  if (status !== 200) throw new Error(`Paste failed: ${status} ${body}`)
  return JSON.parse(body.toString()).url.split('/').at(-1)
}

function newPaste(bytes: number, number: number) {
  const line = (index: number) =>
    `const value${index} = readSetting('name-${index}', ${number + index}) // line ${index} of ${number}\n`
  const lines = Array.from({ length: Math.ceil(bytes / 50) }, (_, index) => line(index))
  return { content: lines.join('').slice(0, bytes), expiryHours: 24 }
}
