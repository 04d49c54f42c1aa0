import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { startWorker } from '#db/embedded/startWorker.server.ts'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import type { HighlightRuns, PasteLanguage } from '#src/contract/paste.ts'

const MAX_CHARACTERS = 100_000
const START_TIMEOUT_MS = 5_000
const NO_HIGHLIGHTS: HighlightRuns = []

const LIMITS = {
  /** almost all texts take less than 50 ms, but hostile texts take minutes */
  highlightMs: 1_000,
  /** maximum wait while other texts are highlighted */
  queueMs: 2_000,
  slowTexts: 1_000,
}

type HighlighterOptions = Partial<typeof LIMITS> & { start?: () => Promise<Worker> }

/**
 * Creates a highlighter with one worker thread, for one text at a time. It does not retry texts that took too long. It
 * remembers them by a keyed hash, which reveals nothing about a paste.
 */
export function createHighlighter({ start = startThread, ...given }: HighlighterOptions = {}) {
  const { highlightMs, queueMs, slowTexts } = { ...LIMITS, ...given }
  const onFull = () => new Error('too many texts to colour')
  const semaphore = createSemaphore({ running: 1, waiting: 32, waitMs: queueMs, onFull })
  const key = randomBytes(32)
  const slow = new LRUCache<string, true>({ max: slowTexts })
  let worker: Promise<Worker> | null = null

  async function highlightInWorker(text: string, language: PasteLanguage, hash: string): Promise<HighlightRuns> {
    worker ??= start()
    const started = worker
    try {
      const thread = await started
      thread.postMessage({ text, language })
      const signal = AbortSignal.timeout(highlightMs)
      const [highlights] = await once(thread, 'message', { signal }).catch((error) => {
        if (signal.aborted) slow.set(hash, true)
        throw error
      })
      return highlights as HighlightRuns
    } catch (error) {
      worker = null
      started.then((thread) => thread.terminate()).catch(() => {})
      throw error
    }
  }

  /** Never rejects: a burning paste is deleted before this call, so an error would lose it. */
  return async function highlightText(text: string, language: PasteLanguage | null): Promise<HighlightRuns> {
    if (!language || text.length > MAX_CHARACTERS) return NO_HIGHLIGHTS
    const hash = createHmac('sha256', key).update(`${language}\n${text}`).digest('base64')
    if (slow.has(hash)) return NO_HIGHLIGHTS
    // While this request waited, another may have found that the same text is slow.
    const work = async () => (slow.has(hash) ? NO_HIGHLIGHTS : highlightInWorker(text, language, hash))
    return semaphore.run(work).catch(() => NO_HIGHLIGHTS)
  }
}

export const highlightText = createHighlighter()

async function startThread(): Promise<Worker> {
  const thread = startWorker(import.meta.url, 'highlight', { resourceLimits: { maxOldGenerationSizeMb: 128 } })
  // The thread must not keep the process running, and its late errors must not crash the process.
  thread.unref()
  thread.on('error', () => {})
  await once(thread, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  return thread
}
