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
import type { FilePlace } from '#server/core/storage/openStores.ts'
import { ArchiveError } from './format.ts'
import type { VerifiedArchive } from './verifyArchive.ts'

export type SiteLocation = FilePlace & Partial<Pick<Config, 'databaseUrl' | 'secretKey'>>

export const fingerprintOf = (secret: string) =>
  createHmac('sha256', deriveSecrets(secret).paste).update('backup').digest('hex').slice(0, 32)

/** `generated` is the secret if the data folder stores it: the backup must then contain it. */
export async function readSiteSecret(
  location: SiteLocation,
): Promise<{ fingerprint: string; generated: string | null }> {
  const generated = location.secretKey ? null : await readSecretFile(location)
  const secret = location.secretKey ?? generated
  if (secret === null)
    throw new Error(`Cannot back up: ${secretFilePath(location)} is missing. Set SECRET_KEY to the secret of the site`)
  if (generated !== null) rejectShortSecret(generated, location)
  return { fingerprint: fingerprintOf(secret), generated }
}

/**
 * Returns the secret to store, or null if the site keeps its own.
 * @throws ArchiveError if the site's secret cannot decrypt the backup's pastes
 */
export async function chooseRestoredSecret(
  { manifest, secret }: Pick<VerifiedArchive, 'manifest' | 'secret'>,
  location: SiteLocation,
  { otherSecret }: { otherSecret: boolean },
): Promise<string | null> {
  const matches = (candidate: string | null | undefined) =>
    Boolean(candidate) && fingerprintOf(candidate ?? '') === manifest.secret
  if (secret !== null && !matches(secret)) throw new ArchiveError('its secret.key does not match its manifest')
  const own = location.secretKey ?? (await readSecretFile(location))
  if (matches(own)) return null
  // Generates a secret here, because a site that has data does not generate one when it starts.
  if (otherSecret) return own !== null && isLongEnough(own) ? null : generateSecret()
  if (secret !== null && !location.secretKey) return secret
  const where =
    secret === null ? 'SECRET_KEY of the original site' : 'content of its secret.key (tar -xzOf FILE secret.key)'
  throw new ArchiveError(
    `it was made with another SECRET_KEY. Set SECRET_KEY to the ${where}, or add --other-secret to lose its pastes`,
  )
}

/** Writes the secret to a temporary file. The returned function moves the file into place. */
export async function stageSecret(location: SiteLocation, secret: string | null): Promise<() => Promise<void>> {
  if (secret === null) return async () => {}
  await mkdir(location.dataDir, { recursive: true })
  const fresh = `${secretFilePath(location)}.restored`
  await writeFile(fresh, `${secret}\n`, { mode: 0o600, flush: true })
  return () =>
    rename(fresh, secretFilePath(location)).catch((cause) => {
      throw new Error(
        `The rows are restored, but the secret is not in place. Move ${fresh} to ${secretFilePath(location)}`,
        {
          cause,
        },
      )
    })
}
