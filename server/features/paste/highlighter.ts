import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createGate } from '#server/core/gate.ts'
import type { Marks, PasteLanguage } from '#src/contract/paste.ts'

/** Guards the thread: longer texts stay plain. */
const HIGHLIGHT_CHARACTERS = 100_000
/** Guards readers: hardly any text takes a twentieth of it, and one made for it would take minutes. */
const HIGHLIGHT_MS = 1_000
const START_MS = 5_000
const NONE: Marks = []

/** One text at a time; what finds a full line stays plain too. */
const gate = createGate({ running: 1, waiting: 32, onFull: () => new Error('too many texts to colour') })
let worker: Promise<Worker> | null = null

/**
 * The colours of a text, found in a thread of its own; none where no language is given, the text is long, or it takes
 * too long: a paste is shown in any case.
 */
export async function marksOf(text: string, language: PasteLanguage | null): Promise<Marks> {
  if (!language || text.length > HIGHLIGHT_CHARACTERS) return NONE
  try {
    return await gate.run(() => ask(text, language))
  } catch {
    return NONE
  }
}

async function ask(text: string, language: PasteLanguage): Promise<Marks> {
  worker ??= startWorker()
  const started = worker
  try {
    const thread = await started
    thread.postMessage({ text, language })
    const [marks] = await once(thread, 'message', { signal: AbortSignal.timeout(HIGHLIGHT_MS) })
    return marks as Marks
  } catch (error) {
    worker = null
    started.then((thread) => thread.terminate()).catch(() => {})
    throw error
  }
}

async function startWorker(): Promise<Worker> {
  const thread = makeWorker()
  // Colours hold nothing up: neither the end of the process, nor what a dead thread says afterwards.
  thread.unref()
  thread.on('error', () => {})
  await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) })
  return thread
}

function makeWorker(): Worker {
  const options = { resourceLimits: { maxOldGenerationSizeMb: 128 } }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./highlight.worker.mjs', import.meta.url), options)
  // a thread does not take over the loader of its parent
  const file = JSON.stringify(new URL('./highlight.worker.ts', import.meta.url))
  const code = `import('tsx/esm/api').then((tsx) => tsx.register()).then(() => import(${file}))`
  return new Worker(code, { ...options, eval: true })
}
