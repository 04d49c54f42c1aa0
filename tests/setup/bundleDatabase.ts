import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const ROOT = new URL('../..', import.meta.url)
const WORKER = 'db/embedded.worker.ts'

/** Bundles the embedded database's worker: loading its modules with a TypeScript loader takes half of its start. */
export function bundleDatabase(): void {
  buildSync({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: [WORKER],
    outfile: 'node_modules/.cache/tests/embedded.worker.mjs',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // The worker finds the migrations by its own URL.
    define: { 'import.meta.url': JSON.stringify(new URL(WORKER, ROOT)) },
    logLevel: 'error',
  })
}
