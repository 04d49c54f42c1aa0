import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorTexts } from '#server/core/errors.ts'
import type { Headers } from '#server/core/security/headers.ts'

const REFUSALS: Record<string, [status: string, error: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', errorTexts.tooSlow],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', errorTexts.tooLarge],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', errorTexts.tooLarge],
}

/** Answers what is no request at all, in the shape and with the headers of every other refusal; ends the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket, headers: Headers): void {
  // An answer that has begun is only cut off: bytes of another one would pass for its rest.
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse }
  if (error.code !== 'ECONNRESET' && socket.writable && !begun?.headersSent) {
    const [status, text] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', errorTexts.badRequest]
    const body = JSON.stringify({ success: false, error: text })
    const own = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', connection: 'close' }
    const lines = Object.entries({ ...headers, ...own, 'content-length': body.length })
    const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
    socket.write([...head, '', body].join('\r\n'))
  }
  socket.destroySoon()
}

/** Ends a request that comes too slowly, as the parser below us does with those that take too long. */
export const answerTooSlow = (socket: Socket, headers: Headers): void =>
  answerUnreadable(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, headers)

/** Guards the processor: the renderer takes a second for the thousands of fields that fit into an address. */
const QUERY_FIELDS = 100

/**
 * An address the router can decode: in one it cannot, percent signs are taken as themselves, and nothing is found.
 * It is a path in any case, and none that a browser would take for another host when it is sent back as a redirect. Of
 * its query only as much is looked at as anything here could mean.
 */
export function decodableUrl(url: string): string {
  const [written = '', ...query] = url.split('?')
  const named = written.replace(/^https?:\/\/[^/]*/i, '').replaceAll('\\', '%5C')
  // `GET *` names no path at all, and is nothing that is here.
  const rooted = named.startsWith('/') ? named : `/${named}`
  const path = isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')
  return query.length === 0 ? path : `${path}?${query.join('?').split('&', QUERY_FIELDS).join('&')}`
}

/** What the renderer takes for its development server's: it would call that a fault of ours. */
export function isForDevelopment(url: string): boolean {
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
