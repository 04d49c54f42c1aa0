import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toFormData } from '#tests/helpers/apiCalls.ts'
import { postJson } from '#tests/helpers/backupSite.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { ADMIN, readJson, runCommand, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

/** Without the event, the other process would show an item for a minute. */
const LIMIT_MS = 30_000

let place: TestDatabase
let sites: [SiteProcess, SiteProcess]
let token: string

beforeAll(async () => {
  place = await testDatabase()
  sites = await Promise.all([spawnSite(place), spawnSite(place)])
  token = (await readJson(await postJson(sites[0].origin, '/api/dtpchan/admin/login', ADMIN))).token
})
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()))
  await place.cleanup()
})

/** Images that look alike would be blocked after the first takedown. */
async function createImage(number: number) {
  const bytes = await openRaw(await createVariedImage(number))
    .png()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'p.png', { type: 'image/png' })
}

const read = async (path: string, site: SiteProcess) => {
  const answer = await fetch(`${site.origin}${path}`)
  return { status: answer.status, text: await answer.text() }
}

async function takeDown(path: string): Promise<void> {
  const answer = await fetch(`${sites[0].origin}/api/moderation/takedowns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ url: path }),
  })
  expect(await readJson(answer)).toEqual({ success: true })
}

/** Waits until no process shows the text. */
async function untilGone(paths: string[], words: string): Promise<void> {
  const find = async () => {
    const reads = sites.flatMap((site) => paths.map(async (path) => (await read(path, site)).text.includes(words)))
    return (await Promise.all(reads)).some(Boolean)
  }
  await expect.poll(find, { timeout: LIMIT_MS }).toBe(false)
}

test('erases a post from the cached pages, feeds and image URLs of both processes', async () => {
  const { threads, threadId } = await createBoardWithThread(sites[0].origin, 'Erased')
  const board = '/dtpchan/board/erased'
  const thread = `${board}/thread/${threadId}`
  const image = await createImage(1)
  const { comment } = await postForm(sites[0].origin, `${threads}/${threadId}/comments`, {
    content: 'worst words',
    image,
  })
  const pages = [thread, board, `${thread}/feed.atom`, `${board}/page.en.json`]
  for (const site of sites) {
    for (const path of pages) await expect.poll(async () => (await read(path, site)).text).toContain('worst words')
    expect((await read(comment.picture.url, site)).status).toBe(200)
  }
  await takeDown(`${thread}#p${comment.id}`)
  await untilGone(pages, 'worst words')
  for (const { url } of [comment.picture, comment.picture.preview, comment.picture.display]) {
    for (const site of sites) expect((await read(url, site)).status).toBe(410)
  }
})

test.runIf(isDeep)('erases a thread, a paste and a shared image in both processes', async () => {
  const { threadId } = await createBoardWithThread(sites[0].origin, 'Whole')
  const thread = `/dtpchan/board/whole/thread/${threadId}`
  const paste = new URL(
    (await readJson(await postJson(sites[0].origin, '/api/paste', { content: 'worst paste', expiryHours: 1 }))).url,
  ).pathname
  const form = toFormData({ image: await createImage(2), expiryHours: '1' })
  const share = await readJson(await fetch(`${sites[0].origin}/api/image-share`, { method: 'POST', body: form }))
  const sharePath = new URL(share.url ?? 'http://x/').pathname
  const paths = ['/', '/dtpchan/board/whole', '/sitemap-threads-1.xml']
  for (const site of sites) for (const path of paths) await read(path, site)

  await takeDown(thread)
  await untilGone(['/', '/dtpchan/board/whole'], `${thread}"`)
  await untilGone(['/sitemap-threads-1.xml'], `${thread}<`)
  await takeDown(paste)
  await takeDown(sharePath)
  for (const site of sites) {
    for (const path of [
      thread,
      `${thread}/feed.atom`,
      paste,
      `${paste}/raw`,
      sharePath,
      new URL(share.imageUrl).pathname,
    ])
      expect([path, (await read(path, site)).status]).toEqual([path, 410])
  }
})

test('leaves nothing in a backup that is made later', async () => {
  const { threads, threadId } = await createBoardWithThread(sites[0].origin, 'Backed up')
  const comments = `${threads}/${threadId}/comments`
  await postForm(sites[0].origin, comments, { content: 'kept words' })
  const { comment } = await postForm(sites[0].origin, comments, {
    content: 'erased words',
    image: await createImage(3),
  })
  await takeDown(`/dtpchan/board/backed-up/thread/${threadId}#p${comment.id}`)
  const archive = join(place.dataDir, 'later.tar.gz')
  const { code, output } = await runCommand(place, ['backup', archive])
  expect(code, output).toBe(0)
  const bytes = gunzipSync(await readFile(archive))
  expect(bytes.includes('kept words')).toBe(true)
  expect(bytes.includes('erased words')).toBe(false)
  expect(bytes.includes(comment.picture.url.split('/').at(-1))).toBe(false)
})
