import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDER = `${ROOT}node_modules/.cache/tests`
const CHILDREN = [
  'db/embedded/embedded.worker.ts',
  'server/core/media/image.child.ts',
  'server/features/paste/highlight.worker.ts',
  'tests/helpers/databaseProcess.ts',
  'tests/helpers/imageParentProcess.ts',
  'tests/helpers/recorderProcess.ts',
  'tests/helpers/stateProcess.ts',
]

/** Bundles the programs of threads and processes: a TypeScript loader takes most of the time of their start. */
export function bundleChildren(): void {
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: CHILDREN,
    outdir: `${FOLDER}/site`,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  // As in a build, the bundles find the migrations one level up.
  mkdirSync(FOLDER, { recursive: true })
  for (const name of ['db', 'package.json'])
    if (!existsSync(`${FOLDER}/${name}`)) symlinkSync(`../../../${name}`, `${FOLDER}/${name}`)
}
