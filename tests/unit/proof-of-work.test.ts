import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, expect, test } from 'vitest'
import { createProofOfWork, verifyProofOfWork } from '#server/features/moderation/raids/proofOfWork.ts'
import { MAX_PROOF_LENGTH } from '#src/contract/captcha.ts'

const key = new Uint8Array(32).fill(7)
const CAPTCHA = 'a sealed captcha'

type Payload = { challenge: Awaited<ReturnType<typeof createProofOfWork>>; solution: object | null }
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

let solved: Payload
beforeAll(async () => {
  const challenge = await createProofOfWork(key, CAPTCHA)
  solved = { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
})

test('accepts a solution', async () => {
  const text = encode(solved)
  expect(text.length).toBeLessThan(MAX_PROOF_LENGTH)
  expect(await verifyProofOfWork(key, CAPTCHA, text)).toBe(true)
})

test('needs 3,000 to 6,000 attempts', () => {
  expect(solved.solution).toMatchObject({ counter: expect.toSatisfy((counter) => counter >= 3000 && counter <= 6000) })
})

test('rejects the solution of another captcha or another key', async () => {
  const text = encode(solved)
  expect(await verifyProofOfWork(key, 'another captcha', text)).toBe(false)
  expect(await verifyProofOfWork(new Uint8Array(32), CAPTCHA, text)).toBe(false)
})

test('rejects a changed difficulty', async () => {
  const { challenge, solution } = solved
  const easier = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }
  expect(await verifyProofOfWork(key, CAPTCHA, encode({ challenge: easier, solution }))).toBe(false)
})

test('rejects a challenge without a solution, and anything malformed', async () => {
  const { challenge } = solved
  const wrong = { counter: 1, derivedKey: 'ab'.repeat(32) }
  const malformed = [
    '',
    'null',
    '[]',
    '%%%',
    encode(null),
    encode({ challenge }),
    encode({ challenge, solution: wrong }),
  ]
  const odd = [
    { counter: -1, derivedKey: '' },
    { counter: 1e300, derivedKey: 'zz' },
    { counter: '1', derivedKey: 1 },
  ]
  for (const text of [...malformed, ...odd.map((solution) => encode({ challenge, solution }))]) {
    expect(await verifyProofOfWork(key, CAPTCHA, text), text).toBe(false)
  }
})
