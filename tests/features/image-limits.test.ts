import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BOARDS, createBoard, solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { postFrom } from '#tests/helpers/rateLimitedSite.ts'
import { gifWithFrames, stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { addStreamer } from '#tests/helpers/streamers.ts'

/** Takes minutes to encode. */
const SLOW = gifWithFrames(300_000)
/** 90 megapixels in 1,000 frames */
const LARGE = gifWithFrames(1000, 300)
const TOO_MANY = expect.stringMatching(/^Too many requests from your network\./)

let site: TestSite
let admin: string
let png: Buffer
beforeAll(async () => {
  site = await startSite({
    RATE_LIMIT: 'on',
    REQUEST_COST_PER_NETWORK: '1000/1h',
    IMAGE_SECONDS: '600',
    IMAGE_QUEUE_SECONDS: '600',
  })
  png = await stillImage().png().toBuffer()
  admin = await site.createToken('admin@example.org', 'admin')
  await createBoard(site, 'Pics', admin)
  await addStreamer(site.app.services.db, 'admin@example.org', 'gl1tch')
})
afterAll(() => site.close())

const file = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'a', { type: 'image/gif' })
const share = (from: string, bytes: Uint8Array) =>
  postFrom(site.app, from, '/api/image-share', toFormData({ image: file(bytes), expiryHours: '1' }))
async function solveFrom(from: string) {
  const { body } = await postFrom(site.app, from, '/api/dtpchan/captcha', {})
  return { challengeId: body.challengeId, captchaAnswer: String(solveQuestion(body.question)) }
}
const post = (from: string, captcha: Record<string, string>, ...images: Uint8Array[]) => {
  const fields = { title: 'A title', content: 'text', author: 'gl1tch', image: images.map(file), ...captcha }
  return postFrom(site.app, from, `${BOARDS}/pics/threads`, toFormData(fields))
}
const createShow = (from: string, image: Uint8Array) => {
  const firstDay = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const times = { zone: 'UTC', firstDay, startTime: '20:00', minutes: '60', isWeekly: 'false' }
  const form = toFormData({ title: 'A show', description: '', ...times, image: file(image) })
  return postFrom(site.app, from, '/api/radio/shows', form, { authorization: `Bearer ${admin}` })
}

test('charges the pixels of all frames before an image is decoded', async () => {
  const decoded = vi.spyOn(site.app.services.images, 'process')
  const [one, other] = ['192.0.2.1', '192.0.2.2']
  expect(await share(one, LARGE)).toMatchObject({ status: 429, body: { error: TOO_MANY } })
  const captcha = await solveFrom(other)
  expect(await post(other, captcha, LARGE)).toMatchObject({ status: 429, body: { error: TOO_MANY } })
  expect(await createShow('192.0.2.3', LARGE)).toMatchObject({ status: 429, body: { error: TOO_MANY } })
  expect(decoded).not.toHaveBeenCalled()
  expect((await share(one, png)).status).toBe(200)
  expect((await createShow('192.0.2.3', png)).status).toBe(200)
  // The refused post has not spent its captcha.
  expect((await post(other, captcha, png, png)).status).toBe(200)
  decoded.mockRestore()
})

test.runIf(isDeep)('processes images of other networks while images of a network wait for its slow one', async () => {
  const waiting = vi.spyOn(site.app.services.images, 'process')
  const [one, other] = ['198.51.100.1', '198.51.100.2']
  const captchas = [await solveFrom(one), await solveFrom(other)] as const
  const finished: string[] = []
  const record = async (name: string, answer: ReturnType<typeof share>) => {
    const { status } = await answer
    finished.push(name)
    return status
  }
  const slow = record('slow', share(one, SLOW))
  await expect.poll(() => waiting.mock.calls.length).toBe(1)
  const next = [record('share', share(one, png)), record('post', post(one, captchas[0], png))]
  await expect.poll(() => waiting.mock.calls.length).toBe(3)
  expect(await record('other share', share(other, png))).toBe(200)
  expect(await record('other post', post(other, captchas[1], png))).toBe(200)
  expect(finished).toEqual(['other share', 'other post'])
  // Kills the processes, also that of the slow image.
  site.app.services.images.close()
  expect(await slow).toBe(503)
  await Promise.all(next)
  waiting.mockRestore()
})
