import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { spentCaptcha } from '#db/schema/index.ts'
import { createChallenge } from '#server/core/auth/captcha.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  postThread,
  solveChallenge,
  solveQuestion,
  toFormData,
} from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { snapshotStorage } from '#tests/helpers/storageSnapshot.ts'

const CAPTCHA = '/api/dtpchan/captcha'
const REFUSED = 'Wrong or expired answer. Your text is safe; solve the new one.'
const REQUIRED = 'Please solve the captcha'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  await createBoard(site, 'Here', await site.createToken('admin@example.org', 'admin'))
})
afterAll(() => site.close())

type Captcha = { challengeId?: unknown; captchaAnswer?: unknown }
const fields = { title: 'A title', content: 'Some text', author: 'gl1tch' }
const postJson = (captcha: Captcha, boardId = 'here', more = {}) =>
  callApi(site, 'POST', `${BOARDS}/${boardId}/threads`, { json: { ...fields, ...captcha, ...more } })
const challenge = async () => (await callApi(site, 'POST', CAPTCHA, { raw: '' })).body

/** Another text than that of `postJson`, so that it is another attempt. */
const ANOTHER = { content: 'Another text' }

async function refused(captcha: Captcha, error = REFUSED): Promise<void> {
  const before = await snapshotStorage(site)
  const { status, body } = await postJson(captcha, 'here', ANOTHER)
  expect([status, body]).toEqual([400, { success: false, error }])
  expect(await snapshotStorage(site)).toEqual(before)
}

describe('a challenge', () => {
  test('is a sum whose answer is not negative, and never repeats', async () => {
    const seen = new Set<string>()
    const signs = new Set<string>()
    for (let round = 0; round < 60; round++) {
      const { success, question, challengeId, ...rest } = await challenge()
      expect([success, rest]).toEqual([true, {}])
      expect(question).toMatch(/^What is [1-9] [+−×] [1-9]\?$/)
      expect(solveQuestion(question)).toBeGreaterThanOrEqual(0)
      expect(challengeId).toMatch(/^[\w-]{40,200}$/)
      seen.add(challengeId)
      signs.add(question.split(' ')[3])
    }
    expect([seen.size, signs.size]).toEqual([60, 3])
  })

  test.each([
    ['an empty body', { raw: '' }],
    ['no body', {}],
    ['an object', { json: { challengeId: 'x' } }],
  ])('is created for a request with %s', async (_name, options) => {
    const { status, headers } = await callApi(site, 'POST', CAPTCHA, options)
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  })

  test('writes nothing to the database until it is answered', async () => {
    const spent = () => site.app.services.db.$count(spentCaptcha)
    const before = await spent()
    await challenge()
    expect(await spent()).toBe(before)
    await postThread(site, 'here')
    expect(await spent()).toBe(before + 1)
  })
})

describe('an answer', () => {
  test.each([
    ['as text', String],
    ['as a number', Number],
    ['with blanks around', (answer: string) => ` ${answer}\n`],
    ['with a leading zero', (answer: string) => `0${answer}`],
    [
      'in wide digits',
      (answer: string) => answer.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    ],
  ])('%s is accepted', async (_name, written) => {
    const { challengeId, captchaAnswer } = await solveChallenge(site)
    expect((await postJson({ challengeId, captchaAnswer: written(captchaAnswer) })).status).toBe(200)
  })

  test.each([[undefined], [null], [''], ['  \n'], [true], [[]], [['12']], [{}]])('is not %j', async (captchaAnswer) => {
    const captcha = await solveChallenge(site)
    await refused({ ...captcha, captchaAnswer }, REQUIRED)
    expect((await postJson(captcha)).status).toBe(200)
  })

  test.each([
    ['another number', (answer: string) => String(Number(answer) + 1)],
    ['its negative', (answer: string) => `-${Number(answer) + 1}`],
    ['a word', () => 'twelve'],
    ['a fraction', (answer: string) => `${answer}.5`],
    ['an exponent', (answer: string) => `${answer}e0`],
    ['hexadecimal', (answer: string) => `0x${Number(answer).toString(16)}`],
    ['a plus', (answer: string) => `+${answer}`],
    ['two answers', (answer: string) => `${answer} ${answer}`],
    ['other digits', (answer: string) => answer.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))],
    ['many digits', (answer: string) => answer.padStart(400, '0')],
    ['a NUL', (answer: string) => `${answer}\0`],
    ['a fraction as a number', (answer: string) => Number(answer) + 0.5],
    ['a huge number', () => 1e300],
  ])('%s is wrong and invalidates the challenge', async (_name, written) => {
    const captcha = await solveChallenge(site)
    await refused({ ...captcha, captchaAnswer: written(captcha.captchaAnswer) })
    await refused(captcha)
  })
})

describe('a challenge’s id', () => {
  test.each([[undefined], [null], [''], [5], [[]], [{}]])('is not %j', async (challengeId) => {
    await refused({ challengeId, captchaAnswer: '5' }, REQUIRED)
  })

  test.each([
    ['x'],
    ['x'.repeat(512)],
    ['x'.repeat(513)],
    ['\0'],
    ['\ud800'],
    ['é😀'],
    ['../../etc/passwd'],
    [Buffer.alloc(28).toString('base64url')],
    [Buffer.alloc(120).toString('base64url')],
    [Buffer.from('{"answer":5,"expires":9e15,"nonce":"x"}').toString('base64url')],
  ])('%.20j is refused as unknown', async (challengeId) => {
    await refused({ challengeId, captchaAnswer: '5' })
  })

  test('is rejected with any byte changed, removed or added, and stays valid unchanged', async () => {
    const { challengeId, captchaAnswer } = await solveChallenge(site)
    const bytes = Buffer.from(challengeId, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const tampered = Buffer.from(bytes)
      tampered[at] = (tampered[at] ?? 0) ^ (1 << (at % 8))
      await refused({ challengeId: tampered.toString('base64url'), captchaAnswer })
    }
    for (const length of [0, 1, 12, 27, 28, 29, bytes.length - 16, bytes.length - 1]) {
      const cut = bytes.subarray(0, length).toString('base64url')
      await refused({ challengeId: cut, captchaAnswer }, cut === '' ? REQUIRED : REFUSED)
    }
    await refused({ challengeId: Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url'), captchaAnswer })
    await refused({ challengeId: bytes.subarray(1).toString('base64url'), captchaAnswer })
    expect((await postJson({ challengeId, captchaAnswer })).status).toBe(200)
  })

  test('is refused when another site created it', async () => {
    const secrets = { ...site.app.services.secrets, captcha: new Uint8Array(32) }
    const { challengeId, question } = createChallenge({ secrets, now: () => new Date(), address: '127.0.0.1' })
    await refused({ challengeId, captchaAnswer: solveQuestion(question) })
  })
})

describe('a challenge is valid only for the network that requested it', () => {
  const from = (address: string, url: string, json = {}) =>
    site.app.inject({ method: 'POST', url, payload: json, remoteAddress: address })
  const postFrom = async (asker: string, poster: string) => {
    const { challengeId, question } = (await from(asker, CAPTCHA)).json()
    const form = { ...fields, challengeId, captchaAnswer: String(solveQuestion(question)) }
    const first = await from(poster, `${BOARDS}/here/threads`, form)
    // An answer from another network does not use up the challenge: the network that requested it can still use it.
    return [
      first.statusCode,
      first.json().error,
      (await from(asker, `${BOARDS}/here/threads`, { ...form, ...ANOTHER })).statusCode,
    ]
  }

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['198.51.100.1', '198.51.100.250'],
    ['198.51.100.1', '::ffff:198.51.100.2'],
    ['2001:4860:1:1::1', '2001:4860:1:ff::2'],
  ])('accepts %s and %s as one network', async (asker, poster) => {
    expect(await postFrom(asker, poster)).toEqual([200, undefined, 400])
  })

  test.each([
    ['198.51.100.1', '198.51.101.1'],
    ['2001:4860:1:1::1', '2001:4860:2:1::1'],
    ['2001:4860:1:1::1', '198.51.100.1'],
  ])('refuses %s and %s as two networks', async (asker, poster) => {
    expect(await postFrom(asker, poster)).toEqual([400, REFUSED, 200])
  })
})

describe('a challenge is valid', () => {
  test('for thirty minutes', async () => {
    const start = Date.now()
    site.setNow(new Date(start))
    const [first, second] = [await solveChallenge(site), await solveChallenge(site)]
    site.setNow(new Date(start + 30 * 60_000 - 1))
    expect((await postJson(first)).status).toBe(200)
    site.setNow(new Date(start + 30 * 60_000))
    await refused(second)
    await refused(first)
    site.setNow(null)
  })

  test('once, also with another encoding of its id', async () => {
    const captcha = await solveChallenge(site)
    expect((await postJson(captcha)).status).toBe(200)
    await refused(captcha)
    const { challengeId, captchaAnswer } = captcha
    for (const spelling of [
      `${challengeId}=`,
      `${challengeId}==`,
      ` ${challengeId}`,
      challengeId.replaceAll('-', '+'),
    ]) {
      await refused({ challengeId: spelling, captchaAnswer })
    }
  })

  test('for one of twenty simultaneous posts', async () => {
    const captcha = await solveChallenge(site)
    const post = (_: unknown, index: number) => postJson(captcha, 'here', { content: `Text ${index}` })
    const answers = await Promise.all(Array.from({ length: 20 }, post))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(answers.filter(({ body }) => body.error === REFUSED)).toHaveLength(19)
  })

  test('for none of twenty simultaneous posts when the first answer is wrong', async () => {
    const captcha = await solveChallenge(site)
    await refused({ ...captcha, captchaAnswer: '100' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => postJson(captcha)))
    expect(answers.every(({ status }) => status === 400)).toBe(true)
  })

  test('after an invalid form, but not after a missing board', async () => {
    const captcha = await solveChallenge(site)
    for (const more of [{ title: '' }, { content: '' }, { author: 'x' }, { links: 'x' }, { challengeId: '' }]) {
      expect((await postJson(captcha, 'here', more)).status).toBe(400)
    }
    expect((await postJson(captcha, 'nowhere')).status).toBe(404)
    await refused(captcha)
  })

  test('after a form that is too large', async () => {
    const captcha = await solveChallenge(site)
    const form = toFormData({ ...fields, ...captcha, content: 'x'.repeat(600_000) })
    expect((await callApi(site, 'POST', `${BOARDS}/here/threads`, { form })).status).toBe(413)
    expect((await postThread(site, 'here', captcha)).status).toBe(200)
  })
})

describe('an image that cannot be processed', () => {
  const image = async () =>
    new File([new Uint8Array(await stillImage().png().toBuffer())], 'a.png', { type: 'image/png' })
  const fails = (error: unknown) => vi.spyOn(site.app.services.images, 'process').mockRejectedValueOnce(error)

  test.each([
    ['busy', errors.unavailable(refusal('image.busy')), 503],
    ['too slow', errors.unavailable(refusal('image.tooSlow')), 503],
    ['a fault', new Error('a bug'), 500],
  ])('keeps the captcha valid when the server is at fault: %s', async (_name, error, status) => {
    const captcha = await solveChallenge(site)
    fails(error)
    const before = await snapshotStorage(site)
    expect((await postThread(site, 'here', { ...captcha, image: await image() })).status).toBe(status)
    expect(await snapshotStorage(site)).toEqual(before)
    const post = (_: unknown, index: number) => postJson(captcha, 'here', { content: `Text ${index}` })
    const answers = await Promise.all(Array.from({ length: 5 }, post))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  test('because it is not an image uses up the captcha', async () => {
    const captcha = await solveChallenge(site)
    const broken = new File(['no image'], 'a.png', { type: 'image/png' })
    expect((await postThread(site, 'here', { ...captcha, image: broken })).status).toBe(415)
    await refused(captcha)
  })
})
