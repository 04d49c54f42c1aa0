import { createHmac } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import type { Config } from '#server/core/config/config.ts'
import {
  deriveSecrets,
  isLongEnough,
  newSecret,
  readSecretFile,
  refuseShort,
  secretFile,
} from '#server/core/security/secrets.ts'
import { ArchiveError } from './format.ts'
import type { Verified } from './verifyArchive.ts'

type Place = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'secretKey'>>

/** Tells secrets apart without telling them; of the key of pastes, for those cannot be opened with another one. */
export const fingerprintOf = (secret: string) =>
  createHmac('sha256', deriveSecrets(secret).paste).update('backup').digest('hex').slice(0, 32)

/** The secret of the site that is backed up; `made` is the one that has no other home than the data folder. */
export async function ownSecret(place: Place): Promise<{ fingerprint: string; made: string | null }> {
  const made = place.secretKey ? null : await readSecretFile(place)
  const secret = place.secretKey ?? made
  if (secret === null) throw new Error(`There is no ${secretFile(place)}: set SECRET_KEY to that of the site`)
  if (made !== null) refuseShort(made, place)
  return { fingerprint: fingerprintOf(secret), made }
}

/**
 * The secret to write beside what is restored; null where the right one is there.
 * @throws ArchiveError when the site would have another one, and could open none of its pastes
 */
export async function secretToWrite(
  { manifest, secret }: Pick<Verified, 'manifest' | 'secret'>,
  place: Place,
  { otherSecret }: { otherSecret: boolean },
): Promise<string | null> {
  const isRight = (one: string | null | undefined) => Boolean(one) && fingerprintOf(one ?? '') === manifest.secret
  if (secret !== null && !isRight(secret)) throw new ArchiveError('Its secret.key is not the one it names')
  const own = place.secretKey ?? (await readSecretFile(place))
  if (isRight(own)) return null
  // The site makes no secret by itself beside what is restored.
  if (otherSecret) return own !== null && isLongEnough(own) ? null : newSecret()
  if (secret !== null && !place.secretKey) return secret
  const where =
    secret === null ? 'SECRET_KEY of the site it was made of' : 'secret.key in it (tar -xzOf FILE secret.key)'
  throw new ArchiveError(
    `Another SECRET_KEY would open none of its pastes: set it to the ${where}, or add --other-secret to lose them`,
  )
}

/** Lays a secret beside that of the data folder; what it returns puts it in its place when the rows are there. */
export async function prepareSecret(place: Place, secret: string | null): Promise<() => Promise<void>> {
  if (secret === null) return async () => {}
  await mkdir(place.dataDir, { recursive: true })
  const fresh = `${secretFile(place)}.restored`
  await writeFile(fresh, `${secret}\n`, { mode: 0o600, flush: true })
  return () =>
    rename(fresh, secretFile(place)).catch((cause) => {
      throw new Error(`The rows are restored, but not the secret yet: move ${fresh} to ${secretFile(place)}`, { cause })
    })
}
