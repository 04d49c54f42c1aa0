import { setTimeout } from 'node:timers/promises'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { outbox, post, siteSwitch } from '#db/schema/index.ts'
import { raiseLevel } from '#server/core/limits/tokenBuckets.ts'
import { raidReviews } from '#server/features/moderation/raids/raidAdmission.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, readThread, solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

let site: TestSite
let boardId: string
let threadId: number

beforeEach(async () => {
  site = await startSite({ RATE_LIMIT: 'on', RAID_POSTS_PER_MINUTE: '7' })
  boardId = await createBoard(site, 'Raids', await site.createToken('admin@example.org', 'admin'))
  threadId = (await createVisitor(site, REGULAR).postThread(boardId)).body.thread.id
})
afterEach(() => site.close())

const REGULAR = '198.51.100.7'
const stranger = (number: number) => createVisitor(site, `10.${number}.0.1`)
const isOn = async () =>
  (await site.app.services.db.select().from(siteSwitch)).some(({ name }) => name === 'proof-of-work')
const visibleComments = async () => (await readThread(site, boardId, threadId)).body.thread.comments.length
const heldPosts = () => site.app.services.db.select().from(post).where(eq(post.state, 'held'))
/** Posts that do not resemble each other. */
const texts = [
  'Has anyone measured the new heat pump?',
  'My soldering iron finally gave up.',
  'Which font do you use in terminals?',
  'Thanks, that fixed the build for me.',
  'Lunch was good today.',
  'Reading old magazines about synthesizers.',
  'Anyone going to the meetup on Friday?',
  'Why does this cable get warm?',
  'New wallpaper, what do you think?',
]
const postText = async (address: string, number: number) =>
  (await createVisitor(site, address).postComment(boardId, threadId, { content: texts[number] })).body
const minutesHeld = ({ held, heldUntil }: { held?: true; heldUntil?: string | null }) => {
  if (!held) return 'published'
  return heldUntil ? (Date.parse(heldUntil) - site.app.services.now().getTime()) / 60_000 : 'for review'
}
const randomWords = () =>
  Array.from({ length: 5 }, () =>
    Math.random()
      .toString(36)
      .replace(/[^a-z]/g, ''),
  ).join(' ')
const wait = (ms: number) => site.setNow(new Date(site.app.services.now().getTime() + ms))

/** Lets as many strangers post as start a raid. Other attackers have posted the same text. */
async function raid() {
  // Regulars posted before the minute in which the raid was detected.
  site.setNow(new Date(Date.now() + 10 * 60_000))
  for (let number = 0; number < 3; number++) site.app.services.moderation.recentPosts.add('A text')
  for (let number = 0; number < 8; number++) await stranger(number).postComment(boardId, threadId)
  await expect.poll(isOn).toBe(true)
  site.app.services.cache.clear()
}

/** Uses up the reviews of a raid. */
const fillReviews = () =>
  raiseLevel(site.app.services.db, site.app.services.now(), { ...raidReviews, costMs: raidReviews.capacityMs })

async function postSolved(address: string, proofOfWork?: string) {
  const { post } = createVisitor(site, address)
  const { body } = await post('/api/dtpchan/captcha', {})
  const challenge = body.proofOfWork
  const solve = async () => ({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
  return post(
    `${BOARDS}/${boardId}/threads/${threadId}/comments`,
    toFormData({
      content: 'Proven',
      author: 'ferrite',
      challengeId: body.challengeId,
      captchaAnswer: String(solveQuestion(body.question)),
      proofOfWork: proofOfWork ?? Buffer.from(JSON.stringify(await solve())).toString('base64'),
    }),
  )
}

test('needs no proof of work below the threshold', async () => {
  const { body } = await stranger(1).post('/api/dtpchan/captcha', {})
  expect(Object.keys(body).sort()).toEqual(['challengeId', 'question', 'success'])
  expect((await stranger(1).postComment(boardId, threadId)).body.held).toBeUndefined()
})

test('counts a post that quotes', async () => {
  const { status, body } = await stranger(1).postComment(boardId, threadId, { content: `>>${threadId} Thanks` })
  expect([status, body.comment?.quotes]).toEqual([200, [expect.objectContaining({ id: threadId })]])
})

test('one answered captcha, sent again and again, starts no raid and uses up no quota', async () => {
  const { post } = createVisitor(site, '10.110.0.1')
  const { body } = await post('/api/dtpchan/captcha', {})
  const answer = { challengeId: body.challengeId, captchaAnswer: String(solveQuestion(body.question)) }
  const send = (content: string) =>
    post(`${BOARDS}/${boardId}/threads/${threadId}/comments`, toFormData({ content, author: 'ferrite', ...answer }))
  const statuses = []
  for (const text of ['The same', 'Another']) {
    for (let number = 0; number < 12; number++) statuses.push((await send(text)).status)
  }
  // The same text is the same attempt, which gets the first answer again.
  expect(statuses).toEqual([...Array<number>(12).fill(200), ...Array<number>(12).fill(400)])
  await setTimeout(500)
  expect(await isOn()).toBe(false)

  await raid()
  for (let number = 0; number < 9; number++) expect((await send(texts[number] ?? '')).status).toBe(400)
  for (let number = 0; number < 2; number++) expect(minutesHeld(await postText(REGULAR, number))).toBe(0.75)
})

test('holds the posts of strangers that arrived before the detection', async () => {
  await raid()
  await expect.poll(visibleComments).toBe(0)
  expect((await heldPosts()).map(({ releaseAt, logId }) => [releaseAt, logId])).toEqual(Array(8).fill([null, null]))
})

test('alerts moderators to the posts that it holds', async () => {
  await raid()
  await expect.poll(visibleComments).toBe(0)
  const alerts = await site.app.services.db.select().from(outbox).where(eq(outbox.target, 'moderators'))
  const [first, ...held] = alerts.map(({ message }) => message as { kind: string; boardId: string; count: number })
  expect(first).toEqual({ kind: 'raid', boardId: null, count: 1 })
  // Posts that are held one after the other can have alerts of their own.
  expect(held.every(({ kind, boardId: on }) => kind === 'held' && on === boardId)).toBe(true)
  expect(held.reduce((sum, { count }) => sum + count, 0)).toBe(8)
})

test.runIf(isDeep)('publishes a post of a regular at once with a proof, and after a minute without', async () => {
  await raid()
  const proven = await postSolved(REGULAR)
  expect([proven.status, proven.body.held]).toEqual([200, undefined])
  expect(minutesHeld(await postText(REGULAR, 0))).toBe(0.75)
})

test('a regular who deleted an own post stays one, unlike one whose post was removed', async () => {
  const token = await site.createToken('admin@example.org', 'admin')
  const [forgetful, spammer] = ['198.51.101.7', '198.51.102.7']
  const ways: [string, (own: { deleteToken: string }) => object][] = [
    [forgetful, ({ deleteToken }) => ({ json: { deleteToken } })],
    [spammer, () => ({ token })],
  ]
  for (const [address, options] of ways) {
    await postText(address, 0)
    const own = await postText(address, 1)
    const url = `${BOARDS}/${boardId}/threads/${threadId}/comments/${own.comment.id}`
    expect((await callApi(site, 'DELETE', url, options(own))).status).toBe(200)
  }
  await raid()
  expect([minutesHeld(await postText(forgetful, 2)), minutesHeld(await postText(spammer, 3))]).toEqual([
    0.75,
    'for review',
  ])
})

test('holds further posts of a network that posts too fast for a review', async () => {
  await raid()
  const held = []
  for (let number = 0; number < 3; number++) held.push(minutesHeld(await postText(REGULAR, number)))
  wait(2 * 60_000)
  for (let number = 3; number < 5; number++) held.push(minutesHeld(await postText(REGULAR, number)))
  expect(held).toEqual([0.75, 0.75, 'for review', 0.75, 'for review'])
})

test('holds posts of strangers for a review, with and without a proof', async () => {
  await raid()
  const posts = [await postText('10.50.0.1', 0), (await postSolved('10.51.0.1')).body, await postText('10.52.0.1', 1)]
  expect(posts.map(minutesHeld)).toEqual(Array(3).fill('for review'))
})

test('repeated spam waits for a review and uses up no quota', async () => {
  await raid()
  const spam = async (address: string, number: number) => {
    const fields = { content: `${number} A text ${'!'.repeat(number)}` }
    return minutesHeld((await createVisitor(site, address).postComment(boardId, threadId, fields)).body)
  }
  for (let number = 0; number < 10; number++) {
    expect(await spam(`10.6${number}.0.1`, number)).toBe('for review')
    expect(await spam(REGULAR, number)).toBe('for review')
  }
  expect(minutesHeld(await postText(REGULAR, 1))).toBe(0.75)
})

test('refuses spam beyond what moderators can review, without using up the limits of its network', async () => {
  await raid()
  await fillReviews()
  // A network may post fifteen times at once.
  for (let number = 0; number < 20; number++) {
    const { status, body, headers } = await createVisitor(site, REGULAR).postComment(boardId, threadId)
    expect([status, body, headers['retry-after']]).toEqual([429, { success: false, error: t('limit.reviews') }, '60'])
  }
  expect(minutesHeld(await postText(REGULAR, 0))).toBe(0.75)
})

test('a refused post can be sent again until it is accepted', async () => {
  await raid()
  await fillReviews()
  for (let number = 0; number < 5; number++) {
    expect((await createVisitor(site, '10.70.0.1').postComment(boardId, threadId, { content: texts[0] })).status).toBe(
      429,
    )
  }
  wait(60_000)
  expect(minutesHeld(await postText('10.70.0.1', 0))).toBe('for review')
})

test.runIf(isDeep)(
  'attackers who vary every text and share an exit with a regular publish six posts in ten minutes',
  async () => {
    await raid()
    let published = 0
    for (let second = 0; second < 600; second += 10) {
      for (const address of [`10.80.${second / 10}.1`, REGULAR]) {
        const { body } = await createVisitor(site, address).postComment(boardId, threadId, { content: randomWords() })
        if (minutesHeld(body) !== 'for review') published++
      }
      wait(10_000)
    }
    expect(published).toBe(6)
  },
)

test('holds posts of a regular network that posted fast before the detection', async () => {
  site.setNow(new Date(Date.now() + 10 * 60_000))
  for (let number = 0; number < 8; number++) await postText(REGULAR, number)
  await expect.poll(isOn).toBe(true)
  await expect.poll(visibleComments).toBe(2)
  site.app.services.cache.clear()
  // The two that stay visible count.
  expect(minutesHeld(await postText(REGULAR, 8))).toBe('for review')
})

test('a second raid continues the first, and an admin can turn it off', async () => {
  await raid()
  const [first] = await site.app.services.db.select().from(siteSwitch)
  const token = await site.createToken('admin@example.org', 'admin')
  const response = await site.app.inject({
    method: 'PUT',
    url: '/api/moderation/switches/proof-of-work',
    headers: { authorization: `Bearer ${token}` },
    payload: { on: false },
  })
  expect(response.statusCode).toBe(200)
  expect(first?.until?.getTime()).toBe((first?.since.getTime() ?? 0) + 30 * 60_000)
  for (let number = 20; number < 30; number++) await stranger(number).postComment(boardId, threadId)
  expect((await heldPosts()).filter(({ content }) => content === 'Proven')).toEqual([])
  const { body } = await stranger(50).post('/api/dtpchan/captcha', {})
  expect(body.proofOfWork).toBeUndefined()
})
