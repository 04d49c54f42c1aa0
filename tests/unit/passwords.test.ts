import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '#server/core/auth/passwords.ts'

test('checks unknown emails again after the first check was rejected by the limit', async () => {
  const flood = Array.from({ length: 40 }, () => hashPassword('x'))
  const known = verifyPassword('$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$c29tZWhhc2g', 'guess')
  const results = await Promise.allSettled([verifyPassword(undefined, 'guess'), known, ...flood])
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(results[0]?.status).toBe('rejected')
  expect(new Set(refused)).toEqual(new Set(['SERVICE_UNAVAILABLE']))
  expect(await verifyPassword(undefined, 'guess')).toBe(false)
})

test('takes the same time for unknown and known emails', async () => {
  const hash = await hashPassword('correct horse')
  expect(await verifyPassword(hash, 'correct horse')).toBe(true)
  expect(await verifyPassword(hash, 'wrong horse')).toBe(false)
  const elapsed = async (known: string | undefined) => {
    const from = performance.now()
    await verifyPassword(known, 'guess')
    return performance.now() - from
  }
  // If unknown emails skipped hashing, the check would be a thousand times faster.
  expect(await elapsed(undefined)).toBeGreaterThan((await elapsed(hash)) / 10)
})

test('accepts a password in composed and in decomposed characters', async () => {
  const [composed, decomposed] = ['pässwörter', 'pässwörter'.normalize('NFD')] as const
  expect(decomposed).not.toBe(composed)
  for (const chosen of [composed, decomposed]) {
    const stored = await hashPassword(chosen)
    expect(await verifyPassword(stored, composed)).toBe(true)
    expect(await verifyPassword(stored, decomposed)).toBe(true)
    expect(await verifyPassword(stored, 'passworter')).toBe(false)
  }
})

test('still accepts a decomposed password that an earlier version stored as it was typed', async () => {
  const typed = 'pässwörter'.normalize('NFD')
  const stored = await hash(typed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  expect(await verifyPassword(stored, typed)).toBe(true)
})
