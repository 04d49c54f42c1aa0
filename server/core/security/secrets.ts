import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import type { Config } from '#server/core/config/config.ts'

export type Secrets = ReturnType<typeof deriveSecrets>

/** Derives a separate 32-byte key for each purpose. */
export function deriveSecrets(secret: string) {
  const derive = (label: string) => new Uint8Array(hkdfSync('sha256', secret, 'dtp-site', label, 32))
  return {
    token: derive('session-token/v1'),
    captcha: derive('captcha/v1'),
    proofOfWork: derive('proof-of-work/v1'),
    attempts: derive('attempts/v1'),
    idempotency: derive('idempotency/v1'),
    limits: derive('limits/v1'),
    visitors: derive('visitors/v1'),
    paste: derive('paste/v1'),
    art: derive('radio-art/v1'),
    webPush: derive('web-push/v1'),
    secondFactor: derive('second-factor/v1'),
    appeals: derive('ban-appeal/v1'),
    postDeletion: derive('post-deletion/v1'),
    reports: derive('reports/v1'),
    takedown: derive('takedown/v1'),
    tripcodes: derive('tripcodes/v1'),
    processes: derive('processes/v1'),
    queueTopic: derive('queue-topic/v1'),
  }
}

/** the same minimum as for SECRET_KEY */
const MIN_SECRET_LENGTH = 32

/**
 * Derives the keys from SECRET_KEY or DATA_DIR/secret.key. Creates the file for a new site.
 * @throws Error when the file is empty or too short, or when it is missing although the site has data
 */
export async function loadSecrets(config: Pick<Config, 'secretKey' | 'dataDir'>, db: Database): Promise<Secrets> {
  if (config.secretKey) return deriveSecrets(config.secretKey)
  // Query first: if another process created the file and a user after the read, the file would seem to be lost.
  const [row] = await db.execute<{ used: boolean }>(
    sql`select exists (select from "user") or exists (select from paste) as used`,
  )
  const secret = await readSecretFile(config)
  if (secret !== null) return deriveSecrets(rejectShortSecret(secret, config))
  if (!row?.used) return deriveSecrets(await createSecretFile(config))
  throw new Error(`Cannot start: ${secretFilePath(config)} is missing, but the site has data. ${REMEDY}`)
}

export const secretFilePath = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'secret.key')

/** @returns the trimmed text, which may be empty, or null if the file is missing */
export async function readSecretFile(location: Pick<Config, 'dataDir'>): Promise<string | null> {
  const text = await readFile(secretFilePath(location), 'utf8').catch(nullIfMissing)
  return text?.trim() ?? null
}

/** @throws Error when the secret is too short */
export function rejectShortSecret(secret: string, location: Pick<Config, 'dataDir'>): string {
  if (isLongEnough(secret)) return secret
  const reason = secret === '' ? 'empty' : `too short: ${secret.length} of at least ${MIN_SECRET_LENGTH} characters`
  throw new Error(`${secretFilePath(location)} is ${reason}. ${REMEDY}`)
}

export const isLongEnough = (secret: string) => secret.length >= MIN_SECRET_LENGTH

export const generateSecret = () => randomBytes(48).toString('base64url')

const REMEDY =
  'Restore it from a backup (tar -xzOf BACKUP secret.key), or set SECRET_KEY to its old content: no other secret decrypts the pastes'

async function createSecretFile(location: Pick<Config, 'dataDir'>): Promise<string> {
  const file = secretFilePath(location)
  await mkdir(location.dataDir, { recursive: true })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${generateSecret()}\n`, { mode: 0o600, flush: true })
  // Linking fails if another process created the file first. Then both processes use that file.
  await link(fresh, file).catch(() => {})
  await rm(fresh, { force: true })
  return (await readFile(file, 'utf8')).trim()
}
