import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Creates a folder like that of a build, with the public files and without scripts. The test deletes it. */
export function createPublicFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'public-'))
  cpSync(resolve('public'), folder, { recursive: true })
  mkdirSync(join(folder, 'assets'))
  return folder
}
