import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#db/client.server.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Where the bundled worker of the embedded database looks for the template of its build. */
const BUILT = join(ROOT, 'node_modules/.cache/tests/template.tar.gz')

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
  const { current, isStale } = await import(join(ROOT, 'server/buildStore.mjs'))
  await rm(BUILT, { force: true })
  // Creating a database takes ten seconds without it.
  if (!isStale()) await symlink(join(current, 'template.tar.gz'), BUILT)
  const dataDir = await mkdtemp(join(tmpdir(), 'dtp-pglite-'))
  const handle = await openDatabase({ dataDir })
  await handle.close()
  return dataDir
}
