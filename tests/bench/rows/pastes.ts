import { askOnce, encode } from '#tests/bench/connection.ts'
import { jsonPost } from '#tests/bench/forms.ts'
import { inTurn, measure, once } from '#tests/bench/load.ts'
import { columnsOf, loadOf, type Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { asBrowser } from './pages.ts'

const PATH = '/api/paste'
const SIZES = [
  { size: '1 kB', bytes: 1000, mostPerSecond: 3000 },
  { size: '100 kB', bytes: 100_000, mostPerSecond: 400 },
]
const READ = 20

/** Pastes over the documented calls, and the page that shows one: never from memory, each read is sealed and counted. */
export async function pastes(run: Run, site: Server): Promise<void> {
  const load = loadOf(run)
  for (const { size, bytes, mostPerSecond } of SIZES) {
    const count = Math.ceil((load.seconds + load.warmUp.seconds) * mostPerSecond)
    const created = Array.from({ length: count }, (_, number) => encode(jsonPost(PATH, newPaste(bytes, number))))
    run.add('pastes', `create, ${size}`, columnsOf(await measure(site, load, once(created))))
    const ids = await Promise.all(Array.from({ length: READ }, (_, number) => create(site, bytes, number)))
    const read = async (name: string, requests: Buffer[]) =>
      run.add('pastes', `${name}, ${size}`, columnsOf(await measure(site, load, inTurn(requests))))
    await read(
      'read',
      ids.map((id) => encode({ path: `${PATH}/${id}` })),
    )
    if (size === '1 kB')
      await read(
        'page',
        ids.map((id) => encode(asBrowser(`/paste/${id}`))),
      )
  }
}

/** Makes one and gives its id. */
export async function create(site: Server, bytes: number, number: number): Promise<string> {
  const { status, body } = await askOnce(site.port, jsonPost(PATH, newPaste(bytes, number)))
  if (status !== 200) throw new Error(`paste: ${status} ${body}`)
  return JSON.parse(body.toString()).url.split('/').at(-1)
}

function newPaste(bytes: number, number: number) {
  const line = (at: number) =>
    `const value${at} = readSetting('name-${at}', ${number + at}) // line ${at} of ${number}\n`
  const lines = Array.from({ length: Math.ceil(bytes / 50) }, (_, at) => line(at))
  return { content: lines.join('').slice(0, bytes), expiryHours: 24 }
}
