import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Headers } from '#server/core/security/headers.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

const REFUSALS: Record<string, [status: string, error: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', refusal('failure.tooSlow')],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', refusal('failure.tooLarge')],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', refusal('failure.tooLarge')],
}

/** Sends an error in the API's format for a request that the HTTP parser rejected. Closes the connection. */
export function rejectMalformedRequest(error: Error & { code?: string }, socket: Socket, headers: Headers): void {
  // If another response has started, the client would read the error as part of that response.
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse }
  if (error.code !== 'ECONNRESET' && socket.writable && !current?.headersSent) {
    const [status, text] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', refusal('failure.badRequest')]
    const body = JSON.stringify({ success: false, error: refusalText(text) })
    const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
    const lines = Object.entries({ ...headers, ...own, 'content-length': body.length })
    const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
    socket.write([...head, '', body].join('\r\n'))
  }
  socket.destroySoon()
}

/** Limits CPU time: rendering a page takes a second if its URL has thousands of fields. */
const MAX_QUERY_FIELDS = 100

/**
 * Returns a URL that the router can decode. Removes the origin and escapes backslashes, so that redirects stay on this
 * site.
 */
export function decodableUrl(url: string): string {
  const [rawPath = '', ...query] = url.split('?')
  const escaped = rawPath.replace(/^https?:\/\/[^/]*/i, '').replaceAll('\\', '%5C')
  const rooted = escaped.startsWith('/') ? escaped : `/${escaped}`
  const path = isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')
  return query.length === 0 ? path : `${path}?${query.join('?').split('&', MAX_QUERY_FIELDS).join('&')}`
}

/** Returns whether Vike reserves the URL for its development server. In production, Vike fails for such a URL. */
export function isDevServerUrl(url: string): boolean {
  const [path = ''] = url.split('?')
  return /^\/(?:@vite\/client|@fs\/|__vite_ping)/.test(decodeURIComponent(path))
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
