import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Replaces `db/startWorker.server.ts` for the embedded database. The test run starts with a bundle of its worker. */
export const startWorker = (_moduleUrl: string, name: string, options: WorkerOptions) =>
  new Worker(new URL(`../../node_modules/.cache/tests/${name}.worker.mjs`, import.meta.url), options)
