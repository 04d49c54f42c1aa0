import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { eraseOldPosts } from '#server/features/board/states/cleanup.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let site: TestSite
let admin: string
let boardId: string
let threadId: number
let picture: File

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Here', admin)
  picture = new File([new Uint8Array(await stillImage(300, 200).png().toBuffer())], 'p.png', { type: 'image/png' })
})
beforeEach(async () => {
  threadId = await openThread()
})
afterAll(() => site.close())

const openThread = async (fields = {}) => (await postThread(site, boardId, fields)).body.thread.id as number
const comment = async (fields = {}, to = threadId) =>
  (await postComment(site, { boardId, threadId: to }, fields)).body.comment.id as number
const reply = async (commentId: number, fields = {}) =>
  (await postComment(site, { boardId, threadId, commentId }, fields)).body.reply.id as number

const act = (postId: number, action: string, reason?: string) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action, reason } })
const restore = (logId: number) => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
const remove = async (postId: number) => (await act(postId, 'delete')).body.logId as number
const thread = async (id = threadId) => (await readThread(site, boardId, id)).body.thread
const listThreads = async () => (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body.threads

/** Reads sizes that only the database has. */
async function storedThread(id = threadId) {
  const [row] = await site.app.services.db.execute(sql`select * from thread where id = ${id}`)
  return { ...row, changed_at: undefined }
}

test('restores a thread with its title, place, number, posts, quotes, image and counts', async () => {
  const quoting = await openThread({ content: `see >>${threadId}` })
  const first = await comment({ image: picture, links: '["https://example.org/"]' })
  await comment({ content: `>>${first} and >>${quoting}` })
  await reply(first)
  const before = await thread()
  const quotingBefore = await thread(quoting)
  const listBefore = await listThreads()
  const stored = await storedThread()
  const logId = await remove(threadId)
  expect((await readThread(site, boardId, threadId)).status).toBe(404)
  expect((await thread(quoting)).quotedBy).toEqual([])
  expect((await restore(logId)).body).toEqual({ success: true, restored: 4, waiting: 0, held: 0 })
  expect(await thread()).toEqual(before)
  expect(await thread(quoting)).toEqual(quotingBefore)
  expect(await listThreads()).toEqual(listBefore)
  expect(await storedThread()).toEqual(stored)
})

test('takes back the bump of a removed comment, and repeats it when the comment is restored', async () => {
  const other = await openThread()
  const id = await comment()
  const before = await thread()
  const logId = await remove(id)
  expect((await listThreads())[0].id).toBe(other)
  expect((await thread()).lastActivity).toBe(before.createdAt)
  await restore(logId)
  expect((await listThreads())[0].id).toBe(threadId)
  expect(await thread()).toEqual(before)
})

test('answers 404 for the files of a removed post until it is restored', async () => {
  const id = await comment({ image: picture })
  const [{ picture: sizes }] = (await thread()).comments
  const urls = [sizes.url, sizes.preview.url, sizes.display.url]
  const statuses = () =>
    Promise.all(urls.flatMap((url) => [callApi(site, 'GET', url), callApi(site, 'GET', `${url}.withheld`)])).then(
      (responses) => responses.map(({ status }) => status),
    )
  const shown = [200, 404, 200, 404, 200, 404]
  expect(await statuses()).toEqual(shown)
  const logId = await remove(id)
  expect(await statuses()).toEqual([404, 404, 404, 404, 404, 404])
  await restore(logId)
  expect(await statuses()).toEqual(shown)
})

test('counts the bytes of an image until its files are erased', async () => {
  const counted = async () => {
    const { db } = site.app.services
    const [row] = await db.execute<{ bytes: string }>(sql`select bytes from stored_bytes where kind = 'image'`)
    return Number(row?.bytes)
  }
  const before = await counted()
  const id = await comment({ image: picture })
  const withImage = await counted()
  expect(withImage).toBeGreaterThan(before)
  const logId = await remove(id)
  expect(await counted()).toBe(withImage)
  await restore(logId)
  expect(await counted()).toBe(withImage)
  expect((await act(id, 'delete-image')).body.count).toBe(1)
  expect(await counted()).toBe(before)
})

test('restores a reply only after its comment, in any order of removal', async () => {
  const parent = await comment()
  const [early, late] = [await reply(parent), await reply(parent, { content: `>>${parent}` })]
  const before = await thread()
  const ofReply = await remove(early)
  const ofComment = await remove(parent)
  const refused = await restore(ofReply)
  expect(refused.status).toBe(409)
  expect(refused.body.error).toBe('Restore the thread or comment of these posts first')
  expect((await restore(ofComment)).body.restored).toBe(2)
  expect((await thread()).comments[0].replies.map(({ id }: { id: number }) => id)).toEqual([late])
  expect((await restore(ofReply)).body.restored).toBe(1)
  expect(await thread()).toEqual(before)
})

test('does not restore a comment into a removed thread', async () => {
  const id = await comment()
  const ofComment = await remove(id)
  const ofThread = await remove(threadId)
  expect((await restore(ofComment)).status).toBe(409)
  expect((await restore(ofThread)).body.restored).toBe(1)
  expect((await thread()).comments).toEqual([])
  expect((await restore(ofComment)).body.restored).toBe(1)
  expect((await thread()).comments).toHaveLength(1)
})

test('restores a quote when both of its ends are restored, in any order', async () => {
  const target = await comment()
  const source = await comment({ content: `>>${target}` })
  const before = await thread()
  for (const order of [
    [target, source],
    [source, target],
  ]) {
    const logIds: number[] = []
    for (const id of order) logIds.push(await remove(id))
    for (const logId of logIds) expect((await restore(logId)).status).toBe(200)
    expect(await thread()).toEqual(before)
  }
})

test('removes and restores once when asked twice at once', async () => {
  const id = await comment()
  const before = await thread()
  const removals = await Promise.all([act(id, 'delete'), act(id, 'delete'), act(id, 'delete')])
  const effective = removals.filter(({ body }) => body.logId != null)
  expect(effective).toHaveLength(1)
  expect(removals.every(({ status }) => status === 200 || status === 404)).toBe(true)
  const logId = effective[0]?.body.logId
  const statuses = (await Promise.all([restore(logId), restore(logId)])).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 409])
  expect(await thread()).toEqual(before)
})

test('deletes removed posts and their files after seven days', async () => {
  const [old, image] = [await comment(), await comment({ image: picture })]
  const [oldLog, imageLog] = [await remove(old), await remove(image)]
  const stored = async () => {
    const names: string[] = []
    for await (const { name } of site.app.services.files.list()) names.push(name)
    return names.filter((name) => name.endsWith('.withheld'))
  }
  const later = (days: number) => site.setNow(new Date(Date.now() + days * DAY_MS))
  expect(await stored()).toHaveLength(3)
  later(6.9)
  await eraseOldPosts(site.app.services)
  expect((await restore(oldLog)).status).toBe(200)
  later(7.1)
  await eraseOldPosts(site.app.services)
  site.setNow(null)
  expect(await stored()).toEqual([])
  const refused = await restore(imageLog)
  expect(refused.status).toBe(409)
  expect(refused.body.error).toBe('There is nothing left to restore')
})

test.each([
  ['removed', 'withhold', 404],
  ['restored', 'release', 200],
] as const)('repairs no file names of a post that is being %s', async (_change, rename, status) => {
  const id = await comment({ image: picture })
  const [{ picture: shown }] = (await thread()).comments
  const logId = rename === 'release' ? await remove(id) : null
  const { files } = site.app.services
  const renameFiles = files[rename]
  const [renamed, committing] = [createDeferred(), createDeferred()]
  vi.spyOn(files, rename).mockImplementationOnce(async (names) => {
    await renameFiles(names)
    renamed.resolve()
    await committing.promise
  })
  const changing = logId === null ? remove(id) : restore(logId)
  await renamed.promise
  const repairing = eraseOldPosts(site.app.services)
  // The repair may wait for the lock of the post.
  await Promise.race([repairing, sleep(500)])
  committing.resolve()
  await Promise.all([changing, repairing])
  expect((await callApi(site, 'GET', shown.url)).status).toBe(status)
})

test('restores the quotes between posts of two threads that are restored at the same time', async () => {
  const pairs = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const quoted = await openThread()
      const quoting = await openThread({ content: `>>${quoted}` })
      return { quoted, quoting, logIds: [await remove(quoted), await remove(quoting)] }
    }),
  )
  await Promise.all(pairs.flatMap(({ logIds }) => logIds.map((logId) => restore(logId))))
  for (const { quoted, quoting } of pairs) {
    expect((await thread(quoted)).quotedBy).toEqual([{ id: quoting, threadId: quoting, boardId }])
  }
})
