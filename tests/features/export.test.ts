import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseDocument } from 'htmlparser2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openExportFolder } from '#server/export/exportFolder.ts'
import { exportSite } from '#server/export/exportSite.ts'
import { exportThread } from '#server/export/exportThread.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let folder: string
let first: number
let doomed: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  folder = join(await mkdtemp(join(tmpdir(), 'dtp-export-')), 'files')
  await createBoard(site, 'Tech', admin)
  await createBoard(site, 'Short', admin)
  const image = new File([await stillImage(640, 480).png().toBuffer()], 'a.png', { type: 'image/png' })
  const far = (await postThread(site, 'short', { title: 'Far & away' })).body.thread.id
  first = (await postThread(site, 'tech', { title: '<b>First</b>', image, content: `see >>${far}\n\`\`\`\na <b>` }))
    .body.thread.id
  const commentId = (await postComment(site, { boardId: 'tech', threadId: first })).body.comment.id
  await postComment(site, { boardId: 'tech', threadId: first, commentId }, { content: '<script>alert(1)</script>' })
  doomed = (await postThread(site, 'tech', { image })).body.thread.id
})
afterAll(async () => {
  await rm(dirname(folder), { recursive: true, force: true })
  await site.close()
})

const run = (path = folder, signal = new AbortController().signal) =>
  exportSite(site.app.services, path, { signal, progress: () => {} })
const files = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
const read = (name: string) => readFile(join(folder, name))

test('writes what the site serves, under the same names', async () => {
  expect(await run()).toEqual({ threads: 3, changed: 3, posts: 5, pictures: 4, missing: 0 })
  const names = await files()
  expect(names).toEqual(expect.arrayContaining(['boards.json', 'tech/catalog.json', `tech/thread/${first}.json`]))
  const served = names.filter((name) => !/\.(html|css)$|^dtp-export/.test(name))
  expect(served.length).toBeGreaterThan(50)
  for (const name of served) {
    const { statusCode, rawPayload } = await site.app.inject({ method: 'GET', url: `/${name}` })
    expect([name, statusCode, rawPayload.equals(await read(name))]).toEqual([name, 200, true])
  }
  const [{ tim }] = JSON.parse(String(await read(`tech/thread/${first}.json`))).posts
  expect(names).toEqual(expect.arrayContaining([`tech/${tim}.png`, `tech/src/${tim}.png`, `tech/thumb/${tim}s.jpg`]))
})

test('writes pages without script whose links lead to files', async () => {
  const names = new Set(await files())
  const pages = [...names].filter((name) => name.endsWith('.html'))
  expect(pages).toEqual(expect.arrayContaining(['index.html', 'tech/index.html', `tech/thread/${first}.html`]))
  for (const name of pages) {
    const html = String(await read(name))
    expect(html).not.toMatch(/<script|style=/)
    const links = [...html.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, link = '']) => link)
    for (const link of links) expect([name, link, names.has(join(dirname(name), link))]).toEqual([name, link, true])
    expect(parseDocument(html).children.length).toBeGreaterThan(0)
  }
  const page = String(await read(`tech/thread/${first}.html`))
  expect(page).toContain('<h1>&lt;b&gt;First&lt;/b&gt;</h1>')
  expect(page).toContain('href="../../short/thread/')
  expect(page).toContain('<pre class="prettyprint">a &lt;b&gt;</pre></div></article>')
})

test('writes only what has changed, and removes what was deleted', async () => {
  const untouched = join(folder, 'short', 'thread')
  const [name = ''] = await readdir(untouched)
  const before = (await stat(join(untouched, name))).mtimeMs
  await postComment(site, { boardId: 'tech', threadId: first })
  await callApi(site, 'DELETE', `${BOARDS}/tech/threads/${doomed}`, { token: admin })
  await mkdir(join(folder, '.git'))
  expect(await run()).toEqual({ threads: 2, changed: 1, posts: 5, pictures: 0, missing: 0 })
  expect((await stat(join(untouched, name))).mtimeMs).toBe(before)
  const names = await files()
  expect(names.filter((one) => one.includes(`/thread/${doomed}.`) || one.includes(`/res/${doomed}.`))).toEqual([])
  expect(names.filter((one) => /\.(png|jpg)$/.test(one))).toHaveLength(4)
  expect(await run()).toMatchObject({ changed: 0 })
  await callApi(site, 'DELETE', `${BOARDS}/short`, { token: admin })
  await run()
  expect((await readdir(folder)).sort()).toEqual([
    '.git',
    'boards.json',
    'dtp-export.json',
    'index.html',
    'style.css',
    'tech',
  ])
})

test('continues after an interruption', async () => {
  const interrupted = new AbortController()
  interrupted.abort(new Error('Interrupted'))
  const other = join(dirname(folder), 'other')
  await expect(run(other, interrupted.signal)).rejects.toThrow('Interrupted')
  await writeFile(join(other, '.half.tmp'), 'half')
  expect(await run(other)).toMatchObject({ threads: 1, changed: 1 })
  expect(await readdir(other)).not.toContain('.half.tmp')
})

test('keeps the place of a post that its author deleted', async () => {
  const { thread, deleteToken } = (await postThread(site, 'tech', { author: 'mira' })).body
  await postComment(site, { boardId: 'tech', threadId: thread.id })
  await callApi(site, 'DELETE', `${BOARDS}/tech/threads/${thread.id}`, { json: { deleteToken } })
  await run()
  const page = String(await read(`tech/thread/${thread.id}.html`))
  expect(page).toContain('<header> <time')
  expect(page).toContain('<div>Deleted by its author</div>')
  expect(page).not.toContain('mira')
})

test('writes a thread that moved since it was listed into the folder of its new board', async () => {
  await createBoard(site, 'Later', admin)
  const { id } = (await postThread(site, 'tech')).body.thread
  const json = { boardId: 'tech', postId: id, action: 'move', toBoard: 'later' }
  await callApi(site, 'POST', '/api/moderation/act', { token: admin, json })
  const opened = await openExportFolder(folder)
  expect(await exportThread(site.app.services, opened, { id, boardId: 'tech' })).toMatchObject({ boardId: 'later' })
  expect((await files()).filter((name) => name.endsWith(`thread/${id}.json`))).toEqual([`later/thread/${id}.json`])
})

test('refuses a folder of other files', async () => {
  const other = join(dirname(folder), 'photos')
  await mkdir(other)
  await writeFile(join(other, 'holiday.txt'), '')
  await expect(run(other)).rejects.toThrow(`Cannot export to ${other}: it is neither empty nor an export.`)
  expect(await readdir(other)).toEqual(['holiday.txt'])
})

test.each([
  ['/nowhere/none', 'Cannot create the folder /nowhere/none: the folder above it does not exist or takes no folders.'],
  ['/etc/hostname', 'Cannot export to /etc/hostname: it is no folder.'],
])('refuses %s', async (path, message) => {
  await expect(run(path)).rejects.toThrow(message)
})
