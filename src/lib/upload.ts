import { readAppealToken } from '#src/contract/bans.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import type { TextKey } from '#src/i18n/types.ts'
import { readToken } from './token.ts'

/** A refused or failed upload. `text` is the server's message, or null; `status` is 0 without a response. */
export class UploadError extends Error {
  constructor(
    readonly text: string | null,
    readonly status: number,
    /** set if the visitor is banned and may appeal */
    readonly appealToken: string | null = null,
    /** the key of the text, such as 'image.size' */
    readonly code: TextKey | null = null,
    /** the name of the invalid field */
    readonly field: string | null = null,
  ) {
    super(text ?? 'upload failed')
    this.name = 'UploadError'
  }
}

/**
 * Sends a form, as JSON if it is no FormData, and reports upload progress, which `fetch` does not.
 * @param onProgress gets the sent fraction, from 0 to 1
 * @throws UploadError, including after an abort
 */
export function postForm<T>(
  path: string,
  form: FormData | object,
  onProgress?: (fraction: number) => void,
  signal?: AbortSignal,
  method: 'POST' | 'PUT' = 'POST',
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new UploadError(null, 0))
    const request = new XMLHttpRequest()
    request.open(method, path)
    const token = readToken()
    request.setRequestHeader('x-language', currentLanguage())
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    const failed = () => reject(new UploadError(null, 0))
    request.onerror = failed
    request.onabort = failed
    signal?.addEventListener('abort', () => request.abort())
    request.onload = () => {
      const answer = parse(request.responseText)
      if (answer?.success === true) resolve(answer as T)
      else {
        const text = typeof answer?.error === 'string' ? answer.error : null
        reject(
          new UploadError(text, request.status, readAppealToken(answer), answer?.code ?? null, answer?.field ?? null),
        )
      }
    }
    if (form instanceof FormData) return request.send(form)
    request.setRequestHeader('content-type', 'application/json')
    request.send(JSON.stringify(form))
  })
}

function parse(
  text: string,
): { success?: unknown; error?: unknown; ban?: unknown; code?: TextKey; field?: string } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
