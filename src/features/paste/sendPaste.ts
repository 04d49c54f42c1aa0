import type { ExpiryHours } from '#src/contract/expiry.ts'
import { type CreatedPaste, type PasteLanguage, pasteMessages } from '#src/contract/paste.ts'
import { here } from '#src/lib/origin.ts'
import { encryptInBrowser } from './browserCrypto.ts'

/** A paste as its maker wants it. */
export type Draft = {
  content: string
  expiryHours: ExpiryHours
  language: PasteLanguage | 'plain' | ''
  burnAfterReading: boolean
  encrypted: boolean
  password: string
}

/** Refused by the server: the text is what the reader gets. */
export class RefusedPaste extends Error {}

/**
 * Sends a paste by the documented call, encrypted first if wanted; the addresses are at the reader's own origin.
 * @throws RefusedPaste, and other errors when there is no answer
 */
export async function sendPaste(draft: Draft): Promise<CreatedPaste> {
  if (!draft.encrypted) return post(plainBody(draft))
  const { fragmentKey, content, proofHash } = await encryptInBrowser(draft.content, draft.password)
  const { expiryHours, burnAfterReading, password } = draft
  const passwordProtected = password !== ''
  const made = await post({ content, expiryHours, burnAfterReading, encrypted: true, passwordProtected, proofHash })
  return { ...made, url: `${made.url}#${fragmentKey}` }
}

const plainBody = ({ content, expiryHours, burnAfterReading, language }: Draft) => ({
  content,
  expiryHours,
  burnAfterReading,
  ...(language !== '' && { language }),
})

async function post(body: object): Promise<CreatedPaste> {
  const answer = await fetch('/api/paste', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said: { success?: unknown; error?: unknown } & Record<string, string> = await answer.json().catch(() => ({}))
  const { success, error, url = '', deleteUrl = '', expiresAt = '' } = said
  if (success !== true) throw new RefusedPaste(typeof error === 'string' ? error : pasteMessages.create)
  return { url: here(url), deleteUrl: here(deleteUrl), expiresAt: new Date(expiresAt) }
}
