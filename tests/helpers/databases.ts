import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** database kind of this test project */
    database: 'pglite' | 'postgres'
    /** folder or URL of the migrated database that each test file copies */
    databaseTemplate: string
  }
}

export type TestDatabase = { databaseUrl?: string; dataDir: string; cleanup(): Promise<void> }

/**
 * Creates an empty, migrated database and a data folder.
 * @param kind defaults to the kind of the test project
 * @param options.migrated false creates a database without tables
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

/** Returns the socket of the embedded database, or an empty string on PostgreSQL, which has a URL instead. */
export async function socketPath({ databaseUrl, dataDir }: Omit<TestDatabase, 'cleanup'>): Promise<string> {
  if (databaseUrl) return ''
  const name = (await readdir(dataDir)).find((name) => /^db-.*\.sock$/.test(name))
  return join(dataDir, name ?? '')
}
