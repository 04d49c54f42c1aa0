import { z } from 'zod'
import { type CallerOf, createRestRoutes, type RestRow } from '#server/core/rpc/restRoute.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { IDEMPOTENCY_HEADER } from '#src/contract/idempotency.ts'
import { type CreatedPaste, type HighlightedPaste, MAX_PASTE_BYTES, PASTE_CALL } from '#src/contract/paste.ts'
import { createdPasteSchema, lockedPasteSchema, pasteSchema } from '#src/contract/pasteAnswers.ts'
import { pasteRouter } from './router.ts'

const PASTE = `${PASTE_CALL}/:pasteId` as const

/** Limits the JSON body, where a character can take six bytes (`\u0000`). The procedure checks the decoded size. */
const MAX_BODY_BYTES = 6 * 1024 * 1024 + 4096

/**
 * Accepts JSON, forms and plain bytes. These curl options work: `-F content=@FILE`, `--data-binary @FILE`, `-T FILE`.
 */
const TAKEN_DOWN = { 410: 'The paste was taken down' }

const creation = {
  summary: 'Creates a paste, up to 1 MiB. With raw content, the other fields are in the query.',
  answer: createdPasteSchema,
  sends: { 'text/plain': 'for a raw body: the URL. The delete link is in the header `X-Delete-Url`.' },
  headers: IDEMPOTENCY_HEADER,
  bytesField: { name: 'content', maxBytes: MAX_PASTE_BYTES },
  bodyBytes: MAX_BODY_BYTES,
  limits: { rate: 'paste', storage: 'paste' },
  statuses: TAKEN_DOWN,
  call: (api, input) => api.create(input),
  send: (reply, { url, deleteUrl }: CreatedPaste, isRaw) =>
    isRaw ? reply.header('x-delete-url', deleteUrl).type('text/plain; charset=utf-8').send(`${url}\n`) : null,
} satisfies Omit<RestRow<CallerOf<typeof pasteRouter>>, 'method' | 'path'>

type PasteFields = { pasteId: string }
const pageOf = ({ pasteId }: PasteFields) => `/paste/${encodeURIComponent(pasteId)}`

export const pasteRoutes = createRestRoutes(pasteRouter, [
  { method: 'POST', path: PASTE_CALL, formPage: { path: '/paste-service' }, ...creation },
  { method: 'PUT', path: PASTE_CALL, ...creation },
  // If the URL ends with a slash, `curl -T` appends the file name. The name of the parameter must be that of `PASTE`.
  {
    method: 'PUT',
    path: PASTE,
    ...creation,
    summary: 'Creates a paste, up to 1 MiB. The last part of the URL is ignored: `curl -T` appends the file name.',
  },
  {
    method: 'GET',
    path: PASTE,
    summary: 'Reads a paste; of a burn-after-reading paste only its flags',
    answer: z.object({ paste: z.union([pasteSchema, lockedPasteSchema]) }),
    statuses: TAKEN_DOWN,
    call: async (api, input) => ({ paste: await api.peek(input) }),
  },
  {
    method: 'POST',
    path: `${PASTE}/read`,
    summary: 'Reads a paste, and deletes it if it burns after reading. `proof` is for browser encryption.',
    answer: z.object({ paste: pasteSchema }),
    statuses: TAKEN_DOWN,
    formPage: { path: pageOf },
    call: (api, input) => api.consume(input),
    send: (reply, { paste }: HighlightedPaste) => reply.send({ success: true, paste }),
  },
  {
    method: 'POST',
    path: `${PASTE}/delete`,
    summary: 'Deletes a paste with the token of its delete link',
    answer: null,
    statuses: TAKEN_DOWN,
    formPage: { path: (fields: PasteFields) => `${pageOf(fields)}/delete` },
    call: (api, input) => api.delete(input),
  },
  {
    method: 'GET',
    path: '/paste/:pasteId/raw',
    summary: 'Reads the bytes of a paste',
    answer: null,
    sends: { 'text/plain': 'the bytes' },
    statuses: { 403: 'The paste burns after reading, or a browser encrypted it', ...TAKEN_DOWN },
    call: (api, input) => api.raw(input),
    send: (reply, bytes: Uint8Array) =>
      reply.header('content-security-policy', SANDBOX).type('text/plain; charset=utf-8').send(Buffer.from(bytes)),
  },
])
