import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test } from 'vitest'
import { createProofOfWork, verifyProofOfWork } from '#server/features/moderation/raids/proofOfWork.ts'
import { MAX_PROOF_LENGTH } from '#src/contract/captcha.ts'

const key = new Uint8Array(32).fill(7)
const CAPTCHA = 'a sealed captcha'

type Payload = { challenge: Awaited<ReturnType<typeof createProofOfWork>>; solution: object | null }
const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

async function solve(attempts = 20): Promise<Payload> {
  const challenge = await createProofOfWork(key, CAPTCHA, attempts)
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}

test('accepts a solution and returns how hard it was', async () => {
  const text = encode(await solve(20))
  expect(text.length).toBeLessThan(MAX_PROOF_LENGTH)
  expect(await verifyProofOfWork(key, CAPTCHA, text)).toBe(20)
})

test('needs at least half of the attempts', async () => {
  const { solution } = await solve(40)
  expect(solution).toMatchObject({ counter: expect.toSatisfy((counter) => counter >= 20 && counter <= 40) })
})

test('rejects the solution of another captcha or another key', async () => {
  const text = encode(await solve())
  expect(await verifyProofOfWork(key, 'another captcha', text)).toBe(0)
  expect(await verifyProofOfWork(new Uint8Array(32), CAPTCHA, text)).toBe(0)
})

test('rejects a changed difficulty', async () => {
  const { challenge, solution } = await solve()
  const { parameters } = challenge
  const easier = { ...challenge, parameters: { ...parameters, data: { ...parameters.data, attempts: 9000 } } }
  expect(await verifyProofOfWork(key, CAPTCHA, encode({ challenge: easier, solution }))).toBe(0)
})

test('rejects a challenge without a solution, and anything malformed', async () => {
  const { challenge } = await solve()
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
    expect(await verifyProofOfWork(key, CAPTCHA, text), text).toBe(0)
  }
})
