import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createGate } from '#server/core/limits/semaphore.ts'
import type { HighlightRuns, PasteLanguage } from '#src/contract/paste.ts'

/** Guards the thread: longer texts stay plain. */
const MAX_CHARACTERS = 100_000
const START_TIMEOUT_MS = 5_000
const NONE: HighlightRuns = []

const LIMITS = {
  /** guards readers: hardly any text takes a twentieth of it, and one made for it would take minutes */
  highlightMs: 1_000,
  /** guards readers: behind other texts one waits no longer, and is shown plain */
  queueMs: 2_000,
  /** guards memory: texts that took too long are remembered, the latest of them */
  slowTexts: 1_000,
}

type HighlighterOptions = Partial<typeof LIMITS> & { start?: () => Promise<Worker> }

/**
 * Creates a highlighter with a thread of its own, which takes one text at a time. A text that took too long is not
 * tried again: it is remembered by a hash under a key of this process, which says nothing about the paste.
 */
export function createHighlighter({ start = startWorker, ...given }: HighlighterOptions = {}) {
  const { highlightMs, queueMs, slowTexts } = { ...LIMITS, ...given }
  const gate = createGate({ running: 1, waiting: 32, onFull: () => new Error('too many texts to colour') })
  const key = randomBytes(32)
  const slow = new Set<string>()
  let worker: Promise<Worker> | null = null

  function rememberSlow(hash: string): void {
    slow.add(hash)
    for (const oldest of slow) {
      if (slow.size <= slowTexts) return
      slow.delete(oldest)
    }
  }

  async function ask(text: string, language: PasteLanguage, hash: string): Promise<HighlightRuns> {
    worker ??= start()
    const started = worker
    try {
      const thread = await started
      thread.postMessage({ text, language })
      const signal = AbortSignal.timeout(highlightMs)
      const [highlights] = await once(thread, 'message', { signal }).catch((error) => {
        if (signal.aborted) rememberSlow(hash)
        throw error
      })
      return highlights as HighlightRuns
    } catch (error) {
      worker = null
      started.then((thread) => thread.terminate()).catch(() => {})
      throw error
    }
  }

  /**
   * Returns the colours of a text; none where no language is given, the text is long, or it takes too long: a paste is
   * shown in any case.
   */
  return async function highlightText(text: string, language: PasteLanguage | null): Promise<HighlightRuns> {
    if (!language || text.length > MAX_CHARACTERS) return NONE
    const hash = createHmac('sha256', key).update(`${language}\n${text}`).digest('base64')
    if (slow.has(hash)) return NONE
    let state: 'waiting' | 'running' | 'too late' = 'waiting'
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<HighlightRuns>((resolve) => {
      timer = setTimeout(() => {
        if (state !== 'waiting') return
        state = 'too late'
        resolve(NONE)
      }, queueMs)
    })
    const colours = gate.run(async () => {
      // The same text may have waited behind itself.
      if (state === 'too late' || slow.has(hash)) return NONE
      state = 'running'
      return ask(text, language, hash)
    })
    return Promise.race([colours.catch(() => NONE), tooLate]).finally(() => clearTimeout(timer))
  }
}

export const highlightText = createHighlighter()

async function startWorker(): Promise<Worker> {
  const thread = createWorker()
  // Colours hold nothing up: neither the end of the process, nor what a dead thread says afterwards.
  thread.unref()
  thread.on('error', () => {})
  await once(thread, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  return thread
}

function createWorker(): Worker {
  const options = { resourceLimits: { maxOldGenerationSizeMb: 128 } }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./highlight.worker.mjs', import.meta.url), options)
  // a thread does not take over the loader of its parent
  const file = JSON.stringify(new URL('./highlight.worker.ts', import.meta.url))
  const code = `import('tsx/esm/api').then((tsx) => tsx.register()).then(() => import(${file}))`
  return new Worker(code, { ...options, eval: true })
}
