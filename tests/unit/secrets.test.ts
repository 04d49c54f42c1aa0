import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#db/client.server.ts'
import { loadSecrets, secretFilePath } from '#server/core/security/secrets.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dtp-test-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

/** Loads the secrets of a site without SECRET_KEY. @param used whether the site has data */
const load = (used: boolean) => loadSecrets({ secretKey: undefined, dataDir }, databaseWith([{ used }]))
const databaseWith = (rows: object[]) => ({ execute: async () => rows }) as unknown as Database
const readSecret = () => readFile(secretFilePath({ dataDir }), 'utf8').catch(() => null)

test('makes a secret for a new site, and keeps it', async () => {
  const made = await load(false)
  const file = await readSecret()
  expect(file?.trim()).toHaveLength(64)
  expect(await load(true)).toEqual(made)
  expect(await readSecret()).toBe(file)
})

test.each([
  ['missing', null, /^Cannot start: .*secret\.key is missing, but the site has data\. Restore it from a backup/],
  ['empty', '\n', /secret\.key is empty\. Restore it from a backup/],
  ['too short', 'short\n', /secret\.key is too short: 5 of at least 32 characters\. Restore it from a backup/],
])('refuses a secret that is %s beside data, and makes no other one', async (_, text, message) => {
  if (text !== null) await writeFile(secretFilePath({ dataDir }), text)
  await expect(load(true)).rejects.toThrow(message)
  expect(await readSecret()).toBe(text)
})
