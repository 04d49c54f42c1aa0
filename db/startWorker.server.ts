import { Worker, type WorkerOptions } from 'node:worker_threads'

/** @param moduleUrl `import.meta.url` of a module in the folder of `NAME.worker` */
export function startWorker(moduleUrl: string, name: string, options: WorkerOptions): Worker {
  if (!moduleUrl.endsWith('.ts')) return new Worker(new URL(`./${name}.worker.mjs`, moduleUrl), options)
  // A worker thread does not inherit the TypeScript loader of its parent.
  const file = JSON.stringify(new URL(`./${name}.worker.ts`, moduleUrl))
  const code = `import('tsx/esm/api').then((tsx) => tsx.register()).then(() => import(${file}))`
  return new Worker(code, { ...options, eval: true })
}
