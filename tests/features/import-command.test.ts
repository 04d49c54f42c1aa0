import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { type Rows, readRows, withDatabase } from '#tests/helpers/backupSite.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { startNginx } from '#tests/helpers/nginx.ts'
import { addFiles, fourchanThread, writeFolder } from '#tests/helpers/oldBoards.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { commandEnvironment, runCommand, spawnSite } from '#tests/helpers/siteProcess.ts'

const nginx = inject('nginx')
const THREADS = 30
const POSTS = 100

let place: TestDatabase
let folder: string
beforeEach(async () => {
  place = await testDatabase()
  folder = await writeFolder({})
})
afterEach(async () => {
  await place.cleanup()
  await rm(folder, { recursive: true, force: true })
})

async function writeThreads() {
  const threads = Array.from({ length: THREADS }, (_, index) => {
    const number = 1 + index * POSTS
    return [`b/thread/${number}.json`, fourchanThread(number, answersTo(number))]
  })
  await addFiles(folder, Object.fromEntries(threads))
}

const answersTo = (number: number) =>
  Array.from({ length: POSTS - 1 }, (_, at) => ({ no: number + 1 + at, com: `&gt;&gt;${number + at} text` }))
const importAll = (...options: string[]) => runCommand(place, ['import', '4chan-json', folder, ...options])
const imported = ({ post, thread, quote, imported_thread }: Rows) => ({
  post,
  thread,
  quote,
  imported_thread,
})
const countPosts = () =>
  withDatabase(place, async (sql) =>
    Number((await sql.unsafe<{ count: string }[]>('select count(*) from post'))[0]?.count),
  )

test.runIf(isDeep)('continues after kill -9, with the same result as without', async () => {
  await writeThreads()
  // The command prints this problem when earlier threads are committed, and later ones are not.
  const number = 20 * POSTS + 1
  const withImage = fourchanThread(number, answersTo(number), { tim: 1, ext: '.png' })
  await addFiles(folder, { [`b/thread/${number}.json`]: withImage })
  const child = spawn(process.execPath, ['dist/current/site/import.mjs', '4chan-json', folder], {
    env: commandEnvironment(place),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await exited
  const partial = await countPosts()
  expect(partial).toBeGreaterThan(0)
  expect((await importAll()).code).toBe(0)
  const rows = imported(await withDatabase(place, readRows))
  expect([rows.post?.length, rows.thread?.length, rows.quote?.length]).toEqual([
    THREADS * POSTS,
    THREADS,
    THREADS * (POSTS - 1),
  ])
  const fresh = await testDatabase()
  try {
    await runCommand(fresh, ['import', '4chan-json', folder])
    expect(imported(await withDatabase(fresh, readRows))).toEqual(rows)
  } finally {
    await fresh.cleanup()
  }
})

test('imports into a running site, whose pages show the posts at once', async () => {
  await writeThreads()
  const site = await spawnSite(place)
  try {
    const page = async (path: string) => (await fetch(`${site.origin}${path}`)).text()
    expect(await page('/dtpchan/board/b')).toContain('Board not found')
    const { output: planned } = await importAll('--dry-run')
    expect(planned).toMatch(/^board +threads +posts +images\n\/b\/ +30 +3,000 +0\n/m)
    expect(planned).toMatch(/\nEstimated from .*\n {2}time .* \(posts .*\n {2}space .* in the database, 0 /)
    expect(planned).toContain('\nWould import 1 board, 30 threads, 3,000 posts, 0 images; problems: 0\n')
    expect(await page('/dtpchan/board/b')).toContain('Board not found')
    // Boards are named as their users write them, too.
    expect((await importAll('/b/')).output).toContain(
      'Imported 1 board, 30 threads, 3,000 posts, 0 images; problems: 0',
    )
    await expect.poll(() => page('/dtpchan/board/b')).toContain('/dtpchan/board/b/thread/2901')
    const last = `/dtpchan/board/b/thread/${1 + (THREADS - 1) * POSTS}`
    expect(await page(last)).not.toContain('Fresh news')
    const number = THREADS * POSTS + 1
    await addFiles(folder, {
      'b/thread/2901.json': fourchanThread(2901, [{ no: number, com: 'Fresh news', tim: 1, ext: '.png' }]),
    })
    const { output } = await importAll()
    expect(output).toContain(`/b/${number}: image b/1.png left out: the file is missing\n`)
    // The source has only the new answer of this thread now.
    expect(output).toContain('/b/: 99 posts are public here, but no longer in the source: 2902, 2903, ')
    expect(output).toContain('Imported 1 board, 0 threads, 1 post, 0 images; problems: 2\n')
    await expect.poll(() => page(last)).toContain('Fresh news')
  } finally {
    await site.stop()
  }
})

test.skipIf(!nginx)('nginx serves the old files that the site has not taken over', async () => {
  const image = await stillImage(300, 200).png().toBuffer()
  const opening = { tim: 1, ext: '.png', extra_files: [{ tim: 2, ext: '.webm' }] }
  await addFiles(folder, {
    'b/thread/1.json': fourchanThread(1, [], opening),
    ...{ 'b/src/1.png': image, 'b/src/2.webm': 'video', 'b/thumb/2.jpg': 'thumbnail', 'b/secrets.php': 'password' },
    'file/3.html': '<script>alert(1)</script>',
  })
  await importAll()
  const site = await spawnSite(place)
  const config = join(place.dataDir, 'nginx')
  const shipped = await readFile(join(import.meta.dirname, '../../deploy/nginx-old-files.conf'), 'utf8')
  await addFiles(config, { 'dtp.d/old.conf': shipped.replace('/var/www/vichan', folder) })
  const proxy = await startNginx(nginx as string, config, Number(new URL(site.origin).port))
  try {
    const ask = (path: string) => fetch(`${proxy.origin}${path}`, { redirect: 'manual' })
    const taken = await ask('/b/src/1.png')
    expect([taken.status, taken.headers.get('location')]).toEqual([301, expect.stringMatching('/dtpchan/uploads/')])
    for (const [path, text] of [
      ['/b/src/2.webm', 'video'],
      ['/b/thumb/2.jpg', 'thumbnail'],
      ['/file/3.html', '<script>alert(1)</script>'],
    ] as const) {
      const answer = await ask(path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, text])
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    }
    for (const path of ['/b/src/4.png', '/b/secrets.php', '/b/src/..%2fsecrets.php', '/b/src/../../b/secrets.php'])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    expect((await ask('/b/res/1.html')).headers.get('location')).toBe('/dtpchan/board/b/thread/1')
  } finally {
    await proxy.stop()
    await site.stop()
  }
})

test.each(
  someOf([
    [['4chan-json', '/nowhere'], 'Cannot import: the folder /nowhere does not exist'],
    [['lynxchan', 'not a URL'], 'npm run import -- vichan'],
    [['vichan', '/nowhere.sql'], '/nowhere.sql'],
    [['jschan', '/nowhere'], 'boards.json is missing'],
  ] as const),
)('rejects the arguments %j with one message', async (args, message) => {
  const { code, output } = await runCommand(place, ['import', ...args])
  expect([code, output]).toEqual([1, expect.stringContaining(message)])
  expect(output).not.toMatch(/\bat .*:\d+:\d+/)
})

test('names the site that it cannot read', async () => {
  const refusing = createServer((_request, response) => response.writeHead(403).end())
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/`
  try {
    const { code, output } = await runCommand(place, ['import', 'vichan', url, 'b'])
    expect([code, output]).toEqual([1, `Cannot import: ${url} cannot be read (status 403). Run it again to continue\n`])
  } finally {
    refusing.close()
  }
})

test('asks a site that does not answer only once', async () => {
  let requests = 0
  const silent = createServer((request) => {
    requests++
    request.socket.destroy()
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  try {
    const { code, output } = await runCommand(place, ['import', 'vichan', url, 'b'])
    expect([code, output, requests]).toEqual([1, expect.stringContaining(`${url} cannot be read (`), 1])
  } finally {
    silent.close()
  }
})
