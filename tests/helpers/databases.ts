import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** on which database this project's tests run */
    database: 'pglite' | 'postgres'
    /** what each test file copies: the migrated database's folder, or its URL */
    databaseTemplate: string
  }
}

export type TestDatabase = { databaseUrl?: string; dataDir: string; cleanup(): Promise<void> }

/**
 * A migrated, empty database of the project's kind and a data folder, for the caller alone.
 * @param options.migrated false where no site has ever started on it
 */
export async function testDatabase(kind = inject('database'), { migrated = true } = {}): Promise<TestDatabase> {
  const template = inject('databaseTemplate')
  const dataDir = await mkdtemp(join(tmpdir(), 'dtp-test-'))
  const removeDataDir = () => rm(dataDir, { recursive: true, force: true })
  if (kind === 'pglite') {
    if (migrated) await promisify(execFile)('cp', ['-a', '--reflink=auto', template, join(dataDir, 'db')])
    return { dataDir, cleanup: removeDataDir }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  const run = async (statement: string) => {
    const url = new URL(template)
    url.pathname = '/postgres'
    const sql = postgres(url.href, { max: 1, onnotice: () => {} })
    await sql.unsafe(statement).finally(() => sql.end())
  }
  await run(`create database ${name} template ${migrated ? 'template_site' : 'template0'}`)
  const databaseUrl = new URL(template)
  databaseUrl.pathname = `/${name}`
  const cleanup = async () => {
    await run(`drop database if exists ${name} with (force)`)
    await removeDataDir()
  }
  return { databaseUrl: databaseUrl.href, dataDir, cleanup }
}
