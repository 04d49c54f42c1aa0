import { createHmac } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import type { Config } from '#server/core/config/config.ts'
import {
  deriveSecrets,
  generateSecret,
  isLongEnough,
  readSecretFile,
  rejectShortSecret,
  secretFilePath,
} from '#server/core/security/secrets.ts'
import { ArchiveError } from './format.ts'
import type { VerifiedArchive } from './verifyArchive.ts'

type SiteLocation = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'secretKey'>>

/** Tells secrets apart without telling them; of the key of pastes, for those cannot be opened with another one. */
export const fingerprintOf = (secret: string) =>
  createHmac('sha256', deriveSecrets(secret).paste).update('backup').digest('hex').slice(0, 32)

/** The secret of the site that is backed up; `made` is the one that has no other home than the data folder. */
export async function readSiteSecret(location: SiteLocation): Promise<{ fingerprint: string; made: string | null }> {
  const made = location.secretKey ? null : await readSecretFile(location)
  const secret = location.secretKey ?? made
  if (secret === null) throw new Error(`There is no ${secretFilePath(location)}: set SECRET_KEY to that of the site`)
  if (made !== null) rejectShortSecret(made, location)
  return { fingerprint: fingerprintOf(secret), made }
}

/**
 * The secret to write beside what is restored; null where the right one is there.
 * @throws ArchiveError when the site would have another one, and could open none of its pastes
 */
export async function chooseRestoredSecret(
  { manifest, secret }: Pick<VerifiedArchive, 'manifest' | 'secret'>,
  location: SiteLocation,
  { otherSecret }: { otherSecret: boolean },
): Promise<string | null> {
  const isRight = (one: string | null | undefined) => Boolean(one) && fingerprintOf(one ?? '') === manifest.secret
  if (secret !== null && !isRight(secret)) throw new ArchiveError('Its secret.key is not the one it names')
  const own = location.secretKey ?? (await readSecretFile(location))
  if (isRight(own)) return null
  // The site makes no secret by itself beside what is restored.
  if (otherSecret) return own !== null && isLongEnough(own) ? null : generateSecret()
  if (secret !== null && !location.secretKey) return secret
  const where =
    secret === null ? 'SECRET_KEY of the site it was made of' : 'secret.key in it (tar -xzOf FILE secret.key)'
  throw new ArchiveError(
    `Another SECRET_KEY would open none of its pastes: set it to the ${where}, or add --other-secret to lose them`,
  )
}

/** Lays a secret beside that of the data folder; what it returns puts it in its place when the rows are there. */
export async function stageSecret(location: SiteLocation, secret: string | null): Promise<() => Promise<void>> {
  if (secret === null) return async () => {}
  await mkdir(location.dataDir, { recursive: true })
  const fresh = `${secretFilePath(location)}.restored`
  await writeFile(fresh, `${secret}\n`, { mode: 0o600, flush: true })
  return () =>
    rename(fresh, secretFilePath(location)).catch((cause) => {
      throw new Error(`The rows are restored, but not the secret yet: move ${fresh} to ${secretFilePath(location)}`, {
        cause,
      })
    })
}
