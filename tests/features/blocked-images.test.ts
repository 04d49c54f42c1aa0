import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockedImage, imageShare, outbox, post } from '#db/schema/index.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { blockImage, hashForBlocking, matchBlockedImage } from '#server/features/moderation/rules/blockedImages.ts'
import { t } from '#src/i18n/t.ts'
import { createBoard, toFormData } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

let site: TestSite
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  boardId = await createBoard(site, 'Images', await site.createToken('member@example.org'))
  threadId = (await createVisitor(site, '192.0.2.200').postThread(boardId)).body.thread.id
})
afterAll(() => site.close())

const refusal = { status: 403, body: { success: false, error: t('image.blocked') } }
const visitor = () => createVisitor(site, '192.0.2.1')
const encoded = async (number: number) =>
  openRaw(await createVariedImage(number))
    .png()
    .toBuffer()
const toFile = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' })
const share = (bytes: Buffer) =>
  visitor().post('/api/image-share', toFormData({ image: toFile(bytes), expiryHours: '24' }))
const comment = (bytes: Buffer) => visitor().postComment(boardId, threadId, { image: toFile(bytes) })

/** Blocks the image of a post, as a takedown does. */
async function blockPost(id: number) {
  const { services } = site.app
  const [row] = await services.db.select({ image: post.image }).from(post).where(eq(post.id, id))
  const hashes = row?.image && (await hashForBlocking(services, row.image))
  if (!hashes) throw new Error('the post has no image')
  const ctx = { ...services, visitor: () => '' }
  await writeAndPublish(ctx, (tx) => blockImage(tx, services.now(), hashes, { reason: 'spam' }))
  services.cache.clear()
  return hashes
}

const countFiles = async () => {
  let count = 0
  for await (const _ of site.app.services.files.list()) count++
  return count
}

test('refuses a blocked file and copies of it, and accepts other images', async () => {
  const png = await encoded(1)
  const { status, body } = await comment(png)
  expect(status).toBe(200)
  await blockPost(body.comment.id)
  const files = await countFiles()
  expect(await comment(png)).toMatchObject(refusal)
  expect(await share(png)).toMatchObject(refusal)
  expect(await share(await sharp(png).jpeg({ quality: 40 }).toBuffer())).toMatchObject(refusal)
  expect(await countFiles()).toBe(files)
  expect((await share(await encoded(9))).status).toBe(200)
})

test('holds a post whose image looks like a blocked one, and alerts moderators', async () => {
  const { db } = site.app.services
  const png = await encoded(33)
  const { body } = await comment(png)
  await blockPost(body.comment.id)
  await db.delete(outbox)
  const copy = await comment(await sharp(png).jpeg({ quality: 40 }).toBuffer())
  expect(copy).toMatchObject({ status: 200, body: { held: true } })
  const [held] = await db.select().from(post).where(eq(post.id, copy.body.comment.id))
  expect(held?.heldFor).toBe('image')
  expect((await site.app.inject(`/dtpchan/uploads/${held?.image?.name}`)).statusCode).toBe(404)
  expect(await db.select().from(outbox)).toMatchObject([
    { target: 'moderators', message: { kind: 'held', boardId, count: 1 } },
  ])
})

test('recognizes the stored original of a blocked upload', async () => {
  const { body } = await comment(
    await openRaw(await createVariedImage(17))
      .jpeg()
      .toBuffer(),
  )
  const [row] = await site.app.services.db.select().from(post).where(eq(post.id, body.comment.id))
  await blockPost(body.comment.id)
  const original = await site.app.inject(`/dtpchan/uploads/${row?.image?.name}`)
  expect(original.statusCode).toBe(200)
  expect(await comment(original.rawPayload)).toMatchObject(refusal)
})

test('blocks only the same file of a nearly flat image', async () => {
  const flat = (background: string) =>
    sharp({ create: { width: 90, height: 60, channels: 3, background } })
      .png()
      .toBuffer()
  const { body } = await comment(await flat('#369'))
  expect((await blockPost(body.comment.id)).variants).toBeNull()
  expect(await share(await flat('#369'))).toMatchObject(refusal)
  expect((await share(await flat('#36a'))).status).toBe(200)
})

test('blocks an image once, and accepts it after its entry is removed', async () => {
  const png = await encoded(25)
  const { body } = await comment(png)
  const { originalHash } = await blockPost(body.comment.id)
  await blockPost(body.comment.id)
  const { db, cache, images } = site.app.services
  const { hashes } = await images.process(png, {
    preview: { width: 9, height: 9 },
    display: { width: 900, height: 900 },
  })
  expect(await matchBlockedImage(site.app.services, hashes)).toBe('exact')
  expect(
    await matchBlockedImage(site.app.services, { ...hashes, upload: Buffer.alloc(32), original: Buffer.alloc(32) }),
  ).toBe('perceptual')
  const removed = await db.delete(blockedImage).where(eq(blockedImage.originalHash, originalHash)).returning()
  expect(removed).toHaveLength(1)
  cache.clear()
  expect(await matchBlockedImage(site.app.services, hashes)).toBeNull()
  expect((await share(png)).status).toBe(200)
  expect(await db.$count(imageShare)).toBeGreaterThan(0)
})

test('lets only admins list, add and remove blocked images', async () => {
  const url = '/api/moderation/blocked-images'
  const png = await encoded(41)
  const form = () => toFormData({ image: toFile(png), reason: 'known spam' })
  const admin = createVisitor(site, '192.0.2.3', await site.createToken('chief@example.org', 'admin'))
  const member = createVisitor(site, '192.0.2.4', await site.createToken('nobody@example.org'))
  expect((await visitor().post(url, form())).status).toBe(401)
  expect((await member.post(url, form())).status).toBe(403)
  expect((await admin.post(url, toFormData({ reason: 'none' }))).status).toBe(400)
  // The bytes decide whether a file is an image: curl declares WebP as any bytes.
  const undeclared = new File([new Uint8Array(png)], 'a.bin', { type: 'application/octet-stream' })
  expect((await admin.post(url, toFormData({ image: undeclared, reason: 'known spam' }))).status).toBe(200)
  expect(await share(png)).toMatchObject(refusal)
  expect(await share(await sharp(png).jpeg({ quality: 40 }).toBuffer())).toMatchObject(refusal)
  const headers = { authorization: `Bearer ${await site.createToken('chief@example.org', 'admin')}` }
  const list = async () => (await site.app.inject({ url, headers })).json().images
  const [entry] = await list()
  expect(entry).toMatchObject({
    reason: 'known spam',
    blocksCopies: true,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    matches: 2,
    lastMatchAt: expect.any(String),
    isTakenDown: false,
  })
  const remove = () => site.app.inject({ method: 'DELETE', url: `${url}/${entry.id}`, headers })
  expect((await remove()).statusCode).toBe(200)
  expect((await remove()).statusCode).toBe(404)
  expect((await share(png)).status).toBe(200)
})
