import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { ne } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowance, post } from '#db/schema/index.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor } from '#tests/helpers/visitor.ts'

let site: TestSite
let regular: ReturnType<typeof createVisitor>
let comments: string
let posts = 0
/** later than when the regular posted */
const RAID_AT = Date.now() + 10 * 60_000
/** A captcha that is solved once: proofs take seconds of processor time. */
let solved: Captcha
let proof: string

beforeAll(async () => {
  site = await startSite()
  const token = await site.createToken('admin@example.org', 'admin')
  const boardId = await createBoard(site, 'Attacked', token)
  regular = createVisitor(site, '192.0.2.1')
  const { thread } = (await regular.postThread(boardId)).body
  comments = `${BOARDS}/${boardId}/threads/${thread.id}/comments`
  site.setNow(new Date(RAID_AT))
  await callApi(site, 'PUT', '/api/moderation/switches/proof-of-work', { json: { on: true }, token })
  solved = await readCaptcha()
  proof = encode({
    challenge: solved.challenge,
    solution: await solveChallenge({ challenge: solved.challenge, deriveKey }),
  })
})
afterAll(() => site.close())
beforeEach(async () => {
  // Empties the quota of the network.
  await site.app.services.db.delete(allowance)
  await site.app.services.db.delete(post).where(ne(post.state, 'live'))
})

async function readCaptcha() {
  const { body } = await regular.post('/api/dtpchan/captcha', {})
  const fields = { challengeId: String(body.challengeId), captchaAnswer: String(solveQuestion(body.question)) }
  return { fields, challenge: body.proofOfWork }
}
type Captcha = Awaited<ReturnType<typeof readCaptcha>>

const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

const send = ({ fields }: Captcha, proofOfWork: string | Blob | undefined, visitor = regular) =>
  visitor.post(comments, toFormData({ content: 'x'.repeat(++posts), author: 'ferrite', ...fields, proofOfWork }))
const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => {
  if (status !== 200) return [status, body.error]
  if (!body.held) return 'published'
  return body.heldUntil ? 'held for a minute' : 'for review'
}

describe('a post with a proof of work that is', () => {
  const nested = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`
  test.each<[string, (captcha: Captcha) => string | Blob | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['no Base64', () => '\0ü%%'],
    ['too long', () => 'A'.repeat(2001)],
    ['huge', () => 'A'.repeat(900_000)],
    ['a file', () => new File(['{}'], 'proof.json')],
    ['null', () => encode(null)],
    ['a number', () => encode(1)],
    ['a list', () => encode([[]])],
    ['deeply nested', () => Buffer.from(nested).toString('base64')],
    ['without a solution', ({ challenge }) => encode({ challenge })],
    ['of the wrong types', ({ challenge }) => encode({ challenge, solution: { counter: '1', derivedKey: [] } })],
    ['wrong', ({ challenge }) => encode({ challenge, solution: { counter: 1, derivedKey: 'ab'.repeat(32) } })],
    ['no hexadecimal', ({ challenge }) => encode({ challenge, solution: { counter: -1e300, derivedKey: 'żż' } })],
    ['of another captcha', () => proof],
  ])('%s counts as one without', async (_, createProof) => {
    const captcha = await readCaptcha()
    const answer = await send(captcha, createProof(captcha))
    // The server may also refuse the form.
    if (answer.status === 200) expect(outcome(answer)).toBe('held for a minute')
    else
      expect(answer).toMatchObject({
        status: expect.toSatisfy((status) => status >= 400 && status < 500),
        body: { success: false },
      })
  })
})

test('a proof of work expires with its captcha', async () => {
  site.setNow(new Date(RAID_AT + 60 * 60_000))
  expect(outcome(await send(solved, proof))).toEqual([400, t('board.captchaRefused')])
  site.setNow(new Date(RAID_AT))
})

test('a proof of work needs the network that requested it', async () => {
  expect(outcome(await send(solved, proof, createVisitor(site, '10.0.0.1')))).toEqual([400, t('board.captchaRefused')])
})

test('a proof of work publishes one post, also if it is sent twice at once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => send(solved, proof)))
  expect(answers.map(outcome).sort()).toEqual([
    [400, t('board.captchaRefused')],
    [400, t('board.captchaRefused')],
    'published',
  ])
  expect(outcome(await send(solved, proof))).toEqual([400, t('board.captchaRefused')])
})
