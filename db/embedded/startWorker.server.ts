import { Worker, type WorkerOptions } from 'node:worker_threads'

/** @param moduleUrl `import.meta.url` of a module in the same folder as `NAME.worker` */
export function startWorker(moduleUrl: string, name: string, options: WorkerOptions): Worker {
  if (!moduleUrl.endsWith('.ts')) return new Worker(new URL(`./${name}.worker.mjs`, moduleUrl), options)
  // A worker thread does not inherit its parent's TypeScript loader.
  const file = JSON.stringify(new URL(`./${name}.worker.ts`, moduleUrl))
  const code = `import('tsx/esm/api').then((tsx) => tsx.register()).then(() => import(${file}))`
  return new Worker(code, { ...options, eval: true })
}
