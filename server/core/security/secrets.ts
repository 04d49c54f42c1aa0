import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import type { Config } from '#server/core/config/config.ts'

/** Keys of 32 bytes, one a purpose, all derived from the site's one secret. */
export type Secrets = {
  token: Uint8Array
  captcha: Uint8Array
  attempts: Uint8Array
  limits: Uint8Array
  visitors: Uint8Array
  paste: Uint8Array
  art: Uint8Array
}

/** Derives the keys; a new purpose gets a label of its own, so that no key serves two ends. */
export function deriveSecrets(secret: string): Secrets {
  const derive = (label: string) => new Uint8Array(hkdfSync('sha256', secret, 'dtp-site', label, 32))
  return {
    token: derive('session-token/v1'),
    captcha: derive('captcha/v1'),
    attempts: derive('attempts/v1'),
    limits: derive('limits/v1'),
    visitors: derive('visitors/v1'),
    paste: derive('paste/v1'),
    art: derive('radio-art/v1'),
  }
}

/** characters; the same as SECRET_KEY has to have */
const SHORTEST_SECRET = 32

/**
 * The site's secret: SECRET_KEY, or the one made once in DATA_DIR/secret.key.
 * @throws Error when the file is empty or short, or missing beside the data of a site
 */
export async function loadSecrets(config: Pick<Config, 'secretKey' | 'dataDir'>, db: Database): Promise<Secrets> {
  if (config.secretKey) return deriveSecrets(config.secretKey)
  // Before the file is read: another process that starts now makes its secret first, and then the first user.
  const [found] = await db.execute<{ used: boolean }>(
    sql`select exists (select from "user") or exists (select from paste) as used`,
  )
  const secret = await readSecretFile(config)
  if (secret !== null) return deriveSecrets(rejectShortSecret(secret, config))
  if (!found?.used) return deriveSecrets(await makeSecretFile(config))
  throw new Error(`There is no ${secretFilePath(config)} beside the data of the site. ${REMEDY}`)
}

export const secretFilePath = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'secret.key')

/** @returns the text of the file, which may be empty; null where there is none */
export async function readSecretFile(location: Pick<Config, 'dataDir'>): Promise<string | null> {
  const text = await readFile(secretFilePath(location), 'utf8').catch(nullIfMissing)
  return text?.trim() ?? null
}

/** @throws Error when nobody would have made this secret */
export function rejectShortSecret(secret: string, location: Pick<Config, 'dataDir'>): string {
  if (isLongEnough(secret)) return secret
  const what = secret === '' ? 'empty' : `too short: ${secret.length} of at least ${SHORTEST_SECRET} characters`
  throw new Error(`${secretFilePath(location)} is ${what}. ${REMEDY}`)
}

export const isLongEnough = (secret: string) => secret.length >= SHORTEST_SECRET

export const generateSecret = () => randomBytes(48).toString('base64url')

const REMEDY =
  'Restore it from a backup (tar -xzOf BACKUP secret.key), or set SECRET_KEY to what it held: no other secret opens the pastes'

async function makeSecretFile(location: Pick<Config, 'dataDir'>): Promise<string> {
  const file = secretFilePath(location)
  await mkdir(location.dataDir, { recursive: true })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${generateSecret()}\n`, { mode: 0o600, flush: true })
  // Linking fails when another process was first: then its secret is the one.
  await link(fresh, file).catch(() => {})
  await rm(fresh, { force: true })
  return (await readFile(file, 'utf8')).trim()
}
