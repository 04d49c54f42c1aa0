import { hash, verify } from '@node-rs/argon2'
import { errors, errorTexts } from '#server/core/errors.ts'
import { createSemaphore } from '#server/core/limits/semaphore.ts'

// OWASP's smallest setting for argon2id: 19 MiB, two passes (the library's default algorithm is argon2id).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Guards memory and cores against a flood of logins: each hash takes 19 MiB and some 80 ms. */
const semaphore = createSemaphore({ running: 2, waiting: 32, onFull: () => errors.unavailable(errorTexts.unavailable) })

/** A hash at the same cost that no password fits, so that an unknown email takes the same time as a known one. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$dc3HMVkF0v2bfVPmgUsxnA$W/NklqMPpL1TYcrScOtHlLiZKLqmYsRhH2rdBcEHlE0'

/** The argon2id hash of a password, in PHC form. */
export const hashPassword = (password: string): Promise<string> => semaphore.run(() => hash(password, COST))

/** Whether the password is the one behind the hash; without a hash the same work is done and the answer is no. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await semaphore.run(() => verify(passwordHash ?? DECOY, password))
  return matches && passwordHash !== undefined
}
