import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

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

/** The site's secret: SECRET_KEY, or the one made once in DATA_DIR/secret.key. */
export async function loadSecrets(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Secrets> {
  if (config.secretKey) return deriveSecrets(config.secretKey)
  const file = join(config.dataDir, 'secret.key')
  const existing = await readFile(file, 'utf8').catch(() => null)
  if (existing?.trim()) return deriveSecrets(existing.trim())
  await mkdir(config.dataDir, { recursive: true })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true })
  // Linking fails when another process was first: then its secret is the one.
  await link(fresh, file).catch(() => {})
  await rm(fresh, { force: true })
  return deriveSecrets((await readFile(file, 'utf8')).trim())
}
