import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { errors } from '#server/core/errors.ts'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import { refusal } from '#src/contract/refusal.ts'

// OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, two passes.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Limits the memory and CPU use of many logins: each hash takes 19 MiB and about 80 ms. */
const semaphore = createSemaphore({
  running: 2,
  waiting: 32,
  onFull: () => errors.unavailable(refusal('failure.unavailable')),
})

/** Never matches. Checking it makes a login with an unknown email as slow as a login with a known email. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$dc3HMVkF0v2bfVPmgUsxnA$W/NklqMPpL1TYcrScOtHlLiZKLqmYsRhH2rdBcEHlE0'

/** Composes the characters: macOS can send an `ä` as two, other systems send one. */
const normalize = (password: string) => password.normalize('NFC')

export const isSamePassword = (one: string, other: string) => normalize(one) === normalize(other)

export const hashPassword = (password: string): Promise<string> => semaphore.run(() => hash(normalize(password), COST))

/**
 * Tries the password as it was typed, too: hashes of earlier versions were made of that.
 * @param passwordHash undefined for an unknown user: the check takes equally long and returns false
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  for (const form of new Set([normalize(password), password])) {
    const matches = await semaphore.run(() => verify(passwordHash ?? DUMMY_HASH, form))
    if (matches && passwordHash !== undefined) return true
  }
  return false
}

/** Returns a password that a person can copy, with 96 random bits. */
export const generatePassword = (): string => randomBytes(12).toString('base64url')
