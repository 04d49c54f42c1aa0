import { z } from 'zod'
import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented, type RestRow } from '#server/core/rpc/restRoute.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { IDEMPOTENCY_HEADER } from '#src/contract/fields.ts'
import {
  type CreatedPaste,
  createdPasteSchema,
  deleteForm,
  type HighlightedPaste,
  lockedPasteSchema,
  MAX_PASTE_BYTES,
  PASTE_CALL,
  type PasteSize,
  type PasteView,
  pasteForm,
  pasteParams,
  pasteSchema,
  readForm,
} from '#src/contract/paste.ts'
import { createPaste, pasteStorageUse } from './createPaste.ts'
import { highlightText } from './highlighter.ts'
import { consumePaste, deletePaste, findDeletablePaste, peekPaste, readRaw } from './service.ts'
import { lockedPasteView, MAX_SHOWN_CHARACTERS, truncatePaste } from './view.ts'

async function withHighlights(paste: PasteView, fullSize: PasteSize | null = null): Promise<HighlightedPaste> {
  return {
    paste,
    highlights: paste.encoding === 'utf-8' ? await highlightText(paste.content, paste.language) : [],
    fullSize,
  }
}

const PASTE = `${PASTE_CALL}/:pasteId` as const

/** Limits the JSON body, where a character can take six bytes (`\u0000`). The procedure checks the decoded size. */
const MAX_BODY_BYTES = 6 * 1024 * 1024 + 4096

const TAKEN_DOWN = { 410: 'The paste was taken down' }

/**
 * Accepts JSON, forms and plain bytes. These curl options work: `-F content=@FILE`, `--data-binary @FILE`, `-T FILE`.
 */
const creation = {
  summary: 'Creates a paste, up to 1 MiB. With raw content, the other fields are in the query.',
  answer: createdPasteSchema,
  sends: { 'text/plain': 'for a raw body: the URL. The delete link is in the header `X-Delete-Url`.' },
  headers: IDEMPOTENCY_HEADER,
  bytesField: { name: 'content', maxBytes: MAX_PASTE_BYTES },
  bodyBytes: MAX_BODY_BYTES,
  limits: { rate: 'paste', storage: 'paste' },
  statuses: TAKEN_DOWN,
  send: (reply, { url, deleteUrl }: CreatedPaste, isRaw) =>
    isRaw ? reply.header('x-delete-url', deleteUrl).type('text/plain; charset=utf-8').send(`${url}\n`) : null,
} satisfies Omit<RestRow, 'method' | 'path'>

type PasteFields = { pasteId: string }

const pageOf = ({ pasteId }: PasteFields) => `/paste/${encodeURIComponent(pasteId)}`

export const pasteRouter = router({
  create: documented(
    guestProcedure
      .input(pasteForm)
      .use(rateLimited('paste', pasteStorageUse))
      .mutation(({ ctx, input }) => createPaste(ctx, input)),
    { path: PASTE_CALL, formPage: { path: '/paste-service' }, ...creation },
    { method: 'PUT', path: PASTE_CALL, ...creation },
    // If the URL ends with a slash, `curl -T` appends the file name. The name of the parameter must be that of `PASTE`.
    {
      method: 'PUT',
      path: PASTE,
      ...creation,
      summary: 'Creates a paste, up to 1 MiB. The last part of the URL is ignored: `curl -T` appends the file name.',
    },
  ),
  peek: documented(
    guestProcedure.input(pasteParams).query(({ ctx, input }) => ctx.readLarge(() => peekPaste(ctx, input.pasteId))),
    {
      path: PASTE,
      summary: 'Reads a paste; of a burn-after-reading paste only its flags',
      answer: z.object({ paste: z.union([pasteSchema, lockedPasteSchema]) }),
      statuses: TAKEN_DOWN,
    },
  ),
  raw: documented(
    guestProcedure.input(pasteParams).query(({ ctx, input }) => ctx.readLarge(() => readRaw(ctx, input.pasteId))),
    {
      path: '/paste/:pasteId/raw',
      summary: 'Reads the bytes of a paste',
      sends: { 'text/plain': 'the bytes' },
      statuses: { 403: 'The paste burns after reading, or a browser encrypted it', ...TAKEN_DOWN },
      send: (reply, bytes: Uint8Array) =>
        reply.header('content-security-policy', SANDBOX).type('text/plain; charset=utf-8').send(Buffer.from(bytes)),
    },
  ),
  /** `now`: server time, used to show the remaining time. */
  page: guestProcedure.input(pasteParams).query(async ({ ctx, input }) => {
    const paste = await ctx.readLarge(() => peekPaste(ctx, input.pasteId))
    const now = ctx.now()
    if (paste.content === null) return { locked: paste, now }
    // To keep the page small, the browser fetches a long encrypted paste separately.
    if (paste.encrypted && paste.content.length > MAX_SHOWN_CHARACTERS) {
      return { locked: lockedPasteView(paste.id, paste), now }
    }
    const { paste: shown, fullSize } = paste.encrypted ? { paste, fullSize: null } : truncatePaste(paste)
    return { ...(await withHighlights(shown, fullSize)), now }
  }),
  // A mutation: it may delete the paste, and a query would send the id in the URL.
  consume: documented(
    guestProcedure
      .input(readForm)
      .mutation(async ({ ctx, input }) =>
        withHighlights(await ctx.readLarge(() => consumePaste(ctx, input.pasteId, input.proof))),
      ),
    {
      path: `${PASTE}/read`,
      summary: 'Reads a paste, and deletes it if it burns after reading. `proof` is for browser encryption.',
      answer: z.object({ paste: pasteSchema }),
      statuses: TAKEN_DOWN,
      formPage: { path: pageOf },
      send: (reply, { paste }: HighlightedPaste) => reply.send({ success: true, paste }),
    },
  ),
  deletable: guestProcedure.input(deleteForm).query(async ({ ctx, input }) => {
    const { createdAt, expiresAt } = await findDeletablePaste(ctx, input.pasteId, input.token)
    return { createdAt, expiresAt, now: ctx.now() }
  }),
  delete: documented(
    guestProcedure.input(deleteForm).mutation(({ ctx, input }) => deletePaste(ctx, input.pasteId, input.token)),
    {
      path: `${PASTE}/delete`,
      summary: 'Deletes a paste with the token of its delete link',
      statuses: TAKEN_DOWN,
      formPage: { path: (fields: PasteFields) => `${pageOf(fields)}/delete` },
    },
  ),
})
