// Replaces the modules that find the programs of threads and processes: tests run the bundles of bundleChildren.ts.
import { Worker, type WorkerOptions } from 'node:worker_threads'

const bundled = (name: string) => new URL(`../../node_modules/.cache/tests/${name}.mjs`, import.meta.url)

export const startWorker = (_moduleUrl: string, name: string, options: WorkerOptions) =>
  new Worker(bundled(`${name}.worker`), options)

export const imageProgram = { url: bundled('image.child'), execArgv: [] }
