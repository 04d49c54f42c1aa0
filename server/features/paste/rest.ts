import { MAX_PASTE_BYTES, type MadePaste } from '#src/contract/paste.ts'
import { SANDBOX } from '../../core/headers.ts'
import type { RestRow } from '../../restRow.ts'

const PASTES = '/api/paste'
const PASTE = `${PASTES}/:pasteId` as const

/** In JSON a character can take six bytes (`\u0000`); the procedure counts what is left of them. */
const BODY_BYTES = 6 * 1024 * 1024 + 4096

/** A paste as JSON, a form or bytes: `curl -F content=@FILE`, `--data-binary @FILE` and `-T FILE` work. */
const creation = {
  numbers: ['expiryHours'],
  flags: ['burnAfterReading'],
  raw: { field: 'content', mostBytes: MAX_PASTE_BYTES },
  bodyBytes: BODY_BYTES,
  counts: { limit: 'paste', stores: 'paste' },
  call: (api, input) => api.paste.create(input),
  send: (reply, { url, deleteUrl }: MadePaste, raw) =>
    raw ? reply.header('x-delete-url', deleteUrl).type('text/plain; charset=utf-8').send(`${url}\n`) : null,
} satisfies Partial<RestRow>

export const pasteRows: RestRow[] = [
  { method: 'POST', path: PASTES, ...creation },
  { method: 'PUT', path: PASTES, ...creation },
  // Of a URL that ends with a slash curl makes one that ends with the file's name.
  { method: 'PUT', path: `${PASTES}/:filename`, ...creation },
  { method: 'GET', path: PASTE, call: async (api, input) => ({ paste: await api.paste.get(input) }) },
  {
    method: 'POST',
    path: `${PASTE}/read`,
    call: async (api, input) => ({ paste: (await api.paste.read(input)).paste }),
  },
  { method: 'POST', path: `${PASTE}/delete`, call: (api, input) => api.paste.delete(input) },
  {
    method: 'GET',
    path: '/paste/:pasteId/raw',
    call: (api, input) => api.paste.raw(input),
    send: (reply, bytes: Uint8Array) =>
      reply.header('content-security-policy', SANDBOX).type('text/plain; charset=utf-8').send(Buffer.from(bytes)),
  },
]
