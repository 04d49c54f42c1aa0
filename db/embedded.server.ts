import { Worker } from 'node:worker_threads'
import { explainFailure } from './openErrors.server.ts'

export type WorkerMessage =
  | { type: 'ready'; path: string }
  | { type: 'taken'; path: string }
  /** `refused`: the data are of another version, and nothing is wrong with them */
  | { type: 'failed'; message: string; refused?: boolean }
  | { type: 'notification'; payload: string }

export type Embedded = {
  /** the socket on which the database speaks PostgreSQL's protocol */
  path: string
  /** false when the database belongs to another process, which also hears the notifications */
  owned: boolean
  close(): Promise<void>
}

type Options = { dataDir: string; onNotification: (payload: string) => void; onCrash: (error: Error) => void }

/** ms for the checkpoint at the end; what is not written then is recovered at the next start */
const CLOSE_TIMEOUT = 15_000

/** Opens the database in `dataDir` in a thread of its own, or finds the socket of the process that has it open. */
export async function openEmbedded({ dataDir, onNotification, onCrash }: Options): Promise<Embedded> {
  const worker = startWorker(dataDir)
  let closing = false
  let settled = false
  return new Promise((resolve, reject) => {
    const fail = async (error: Error, refused = false) => {
      if (closing) return
      closing = true
      if (refused) return reject(error)
      const reason = (await explainFailure(dataDir)) ?? error.message
      if (settled) onCrash(new Error(`The embedded database stopped: ${reason}`, { cause: error }))
      else reject(new Error(`The embedded database cannot be opened: ${reason}`, { cause: error }))
    }
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => fail(new Error(`exit code ${code}`)))
    worker.on('message', async (message: WorkerMessage) => {
      if (message.type === 'notification') return onNotification(message.payload)
      if (message.type === 'failed') return fail(new Error(message.message), message.refused)
      settled = true
      if (message.type === 'taken') {
        closing = true
        return resolve({ path: message.path, owned: false, close: async () => {} })
      }
      const close = () => {
        if (closing) return Promise.resolve()
        closing = true
        return stopWorker(worker)
      }
      resolve({ path: message.path, owned: true, close })
    })
  })
}

function startWorker(dataDir: string): Worker {
  const options = { workerData: { dataDir } }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./embedded.worker.mjs', import.meta.url), options)
  // a thread does not take over the loader of its parent
  const file = JSON.stringify(new URL('./embedded.worker.ts', import.meta.url))
  const code = `import('tsx/esm/api').then((tsx) => tsx.register()).then(() => import(${file}))`
  return new Worker(code, { ...options, eval: true })
}

async function stopWorker(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage('close')
  const timer = setTimeout(() => worker.terminate(), CLOSE_TIMEOUT)
  await ended
  clearTimeout(timer)
}
