import type { Socket } from 'node:net'
import { errorTexts } from '../core/errors.ts'

const REFUSALS: Record<string, [status: string, error: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', errorTexts.tooSlow],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', errorTexts.tooLarge],
}

/** Answers what is no request at all, in the shape of every other refusal, and ends the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const [status, text] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', errorTexts.badRequest]
    const body = JSON.stringify({ success: false, error: text })
    const head = [`HTTP/1.1 ${status}`, 'Content-Type: application/json; charset=utf-8', 'Connection: close']
    socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'))
  }
  socket.destroySoon()
}

/**
 * An address the router can decode: in one it cannot, percent signs are taken as themselves, and nothing is found.
 * It is a path in any case, and none that a browser would take for another host when it is sent back as a redirect.
 */
export function decodableUrl(url: string): string {
  const [written = '', ...query] = url.split('?')
  const path = written.replace(/^https?:\/\/[^/]*/i, '').replaceAll('\\', '%5C') || '/'
  return [isDecodable(path) ? path : path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
