import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/client.server.ts'

/** Global, because each project loads this module again. */
const shared = globalThis as { pgliteTemplate?: Promise<string> }

/** Creates one migrated data folder for the test run. Each test file copies the folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.pgliteTemplate ??= createTemplate()
  const dataDir = await shared.pgliteTemplate
  project.provide('database', 'pglite')
  project.provide('databaseTemplate', join(dataDir, 'db'))
  return () => rm(dataDir, { recursive: true, force: true })
}

async function createTemplate(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dtp-pglite-'))
  const handle = await openDatabase({ dataDir })
  await handle.close()
  return dataDir
}
