import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const ROOT = new URL('../..', import.meta.url)
const CHILDREN = [
  'db/embedded/embedded.worker.ts',
  'server/core/media/image.child.ts',
  'server/features/paste/highlight.worker.ts',
]

/** Bundles the programs of threads and processes: a TypeScript loader takes most of the time of their start. */
export function bundleChildren(): void {
  buildSync({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: CHILDREN,
    outdir: 'node_modules/.cache/tests',
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // `db/migrate.server.ts` finds the migrations by its own URL. The others only look for packages.
    define: { 'import.meta.url': JSON.stringify(new URL('db/migrate.server.ts', ROOT)) },
    logLevel: 'error',
  })
}
