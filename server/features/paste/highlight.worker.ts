import { parentPort } from 'node:worker_threads'
import type { PasteLanguage } from '#src/contract/paste.ts'
import { highlight } from './highlight.ts'

parentPort?.on('message', ({ text, language }: { text: string; language: PasteLanguage }) => {
  parentPort?.postMessage(highlight(text, language))
})
parentPort?.postMessage('ready')
