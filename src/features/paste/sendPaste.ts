import { readAppealToken } from '#src/contract/bans.ts'
import { type CreatedPaste, PASTE_CALL, type PasteForm } from '#src/contract/paste.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'
import { createIdempotencyKey } from '#src/lib/idempotencyKey.ts'
import { toVisitorOrigin } from '#src/lib/visitorOrigin.ts'
import { encryptInBrowser } from './browserCrypto.ts'

type Computed = 'content' | 'passwordProtected' | 'proofHash' | 'idempotencyKey'
/** The fields of the form. `content` and `password` are texts as the author typed them. */
export type Draft = Required<Omit<PasteForm, Computed>> & { content: string; password: string }

/** The server refused the paste. The message is shown to the visitor. */
export class RefusedPaste extends Error {
  constructor(
    message: string,
    readonly appealToken: string | null,
  ) {
    super(message)
  }
}

/**
 * Creates a paste. The returned URLs have the visitor's origin.
 * @throws RefusedPaste if the server refuses the paste; another error if there is no response
 */
export async function sendPaste(draft: Draft, signal?: AbortSignal): Promise<CreatedPaste> {
  const { body, fragment } = await prepareOnce(draft)
  const made = await post(body, signal)
  return { ...made, url: made.url + fragment }
}

type Prepared = { body: object; fragment: string }

/** The answer can be lost: sending the same draft again is the same attempt, with the same encrypted bytes. */
const prepared = new WeakMap<Draft, Prepared>()

async function prepareOnce(draft: Draft): Promise<Prepared> {
  const made = prepared.get(draft) ?? (await prepare(draft))
  prepared.set(draft, made)
  return made
}

async function prepare({ content, language, encrypted, password, ...chosen }: Draft) {
  const options = { ...chosen, idempotencyKey: createIdempotencyKey() }
  if (!encrypted) return { body: { content, ...options, ...(language !== '' && { language }) }, fragment: '' }
  const { fragmentKey, content: sealed, proofHash } = await encryptInBrowser(content, password)
  const passwordProtected = password !== ''
  const body = { content: sealed, ...options, encrypted: true, passwordProtected, proofHash }
  return { body, fragment: `#${fragmentKey}` }
}

async function post(body: object, signal?: AbortSignal): Promise<CreatedPaste> {
  const response = await fetch(PASTE_CALL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-language': currentLanguage() },
    body: JSON.stringify(body),
    signal,
  })
  const answer: { success?: unknown; error?: unknown; ban?: unknown } & Record<string, string> = await response
    .json()
    .catch(() => ({}))
  const { success, error, url = '', deleteUrl = '', expiresAt = '' } = answer
  if (success !== true) {
    throw new RefusedPaste(typeof error === 'string' ? error : t('paste.createFailed'), readAppealToken(answer))
  }
  return { url: toVisitorOrigin(url), deleteUrl: toVisitorOrigin(deleteUrl), expiresAt: new Date(expiresAt) }
}
