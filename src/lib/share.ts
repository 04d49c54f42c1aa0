import type { FormRefusal } from '#src/contract/forms.ts'
import { postForm, UploadError } from './upload.ts'

/** Creates the name of one attempt to send a form. `crypto.randomUUID` is missing on pages without TLS. */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Sends a paste or an image. The URLs of the answer have the visitor's origin. @throws UploadError */
export async function postShare(...request: Parameters<typeof postForm>) {
  const answer = await postForm<Record<'url' | 'deleteUrl' | 'expiresAt', string>>(...request)
  return {
    url: toVisitorOrigin(answer.url),
    deleteUrl: toVisitorOrigin(answer.deleteUrl),
    expiresAt: new Date(answer.expiresAt),
  }
}

/** The part of an answer that only the creator of a paste or an image gets. */
export type Shared = Awaited<ReturnType<typeof postShare>>

/** Replaces a URL's origin by the origin in the visitor's address bar, because a site can have several. */
function toVisitorOrigin(url: string): string {
  const { pathname, search } = new URL(url)
  return `${location.origin}${pathname}${search}`
}

/** Says why nothing was created. @param failed if the server gave no reason @param unanswered without a response */
export const shareRefusal = (thrown: unknown, failed: string, unanswered: string): FormRefusal =>
  thrown instanceof UploadError && thrown.status !== 0
    ? { text: thrown.text ?? failed, appealToken: thrown.appealToken }
    : { text: unanswered }
