// Replaces the modules that find the programs of threads and processes: tests run the bundles of bundleChildren.ts.
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const bundled = (name: string) => new URL(`../../node_modules/.cache/tests/site/${name}.mjs`, import.meta.url)

export const startWorker = (_moduleUrl: string, name: string, options: WorkerOptions) =>
  new Worker(bundled(`${name}.worker`), options)

export const imageProgram = { url: bundled('image.child'), execArgv: [] }

/** Returns arguments of Node that run a program of `tests/helpers`. */
export const programArgs = (name: string): string[] => ['--liftoff-only', fileURLToPath(bundled(name))]
