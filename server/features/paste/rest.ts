import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes, type RestRow } from '#server/core/rpc/restRoute.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { type CreatedPaste, type HighlightedPaste, MAX_PASTE_BYTES, PASTE_CALL } from '#src/contract/paste.ts'
import { pasteRouter } from './router.ts'

const createCaller = createCallerFactory(pasteRouter)

const PASTE = `${PASTE_CALL}/:pasteId` as const

/** Limits the JSON body, where a character can take six bytes (`\u0000`). The procedure checks the decoded size. */
const MAX_BODY_BYTES = 6 * 1024 * 1024 + 4096

/**
 * Accepts JSON, forms and plain bytes. These curl options work: `-F content=@FILE`, `--data-binary @FILE`, `-T FILE`.
 */
const creation = {
  numbers: ['expiryHours'],
  flags: ['burnAfterReading'],
  bytesField: { name: 'content', maxBytes: MAX_PASTE_BYTES },
  bodyBytes: MAX_BODY_BYTES,
  limits: { rate: 'paste', storage: 'paste' },
  call: (api, input) => api.create(input),
  send: (reply, { url, deleteUrl }: CreatedPaste, isRaw) =>
    isRaw ? reply.header('x-delete-url', deleteUrl).type('text/plain; charset=utf-8').send(`${url}\n`) : null,
} satisfies Omit<RestRow<ReturnType<typeof createCaller>>, 'method' | 'path'>

type PasteFields = { pasteId: string }
const pageOf = ({ pasteId }: PasteFields) => `/paste/${encodeURIComponent(pasteId)}`

export const pasteRoutes = createRestRoutes(createCaller, [
  { method: 'POST', path: PASTE_CALL, formPage: { path: '/paste-service' }, ...creation },
  { method: 'PUT', path: PASTE_CALL, ...creation },
  // If the URL ends with a slash, `curl -T` appends the file name.
  { method: 'PUT', path: `${PASTE_CALL}/:filename`, ...creation },
  { method: 'GET', path: PASTE, call: async (api, input) => ({ paste: await api.peek(input) }) },
  {
    method: 'POST',
    path: `${PASTE}/read`,
    formPage: { path: pageOf },
    call: (api, input) => api.consume(input),
    send: (reply, { paste }: HighlightedPaste) => reply.send({ success: true, paste }),
  },
  {
    method: 'POST',
    path: `${PASTE}/delete`,
    formPage: { path: (fields: PasteFields) => `${pageOf(fields)}/delete` },
    call: (api, input) => api.delete(input),
  },
  {
    method: 'GET',
    path: '/paste/:pasteId/raw',
    call: (api, input) => api.raw(input),
    send: (reply, bytes: Uint8Array) =>
      reply.header('content-security-policy', SANDBOX).type('text/plain; charset=utf-8').send(Buffer.from(bytes)),
  },
])
