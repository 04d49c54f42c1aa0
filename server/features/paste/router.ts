import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import type { HighlightedPaste, PasteSize, PasteView } from '#src/contract/paste.ts'
import { deleteForm, pasteForm, pasteParams, readForm } from '#src/contract/pasteForms.ts'
import { createPaste, pasteStorageUse } from './createPaste.ts'
import { highlightText } from './highlighter.ts'
import { consumePaste, deletePaste, findDeletablePaste, peekPaste, readRaw } from './service.ts'
import { MAX_SHOWN_CHARACTERS, truncatePaste } from './truncatePaste.ts'
import { lockedPasteView } from './view.ts'

async function withHighlights(paste: PasteView, fullSize: PasteSize | null = null): Promise<HighlightedPaste> {
  return {
    paste,
    highlights: paste.encoding === 'utf-8' ? await highlightText(paste.content, paste.language) : [],
    fullSize,
  }
}

export const pasteRouter = router({
  create: guestProcedure
    .input(pasteForm)
    .use(rateLimited('paste', pasteStorageUse))
    .mutation(({ ctx, input }) => createPaste(ctx, input)),
  peek: guestProcedure.input(pasteParams).query(({ ctx, input }) => ctx.readLarge(() => peekPaste(ctx, input.pasteId))),
  raw: guestProcedure.input(pasteParams).query(({ ctx, input }) => ctx.readLarge(() => readRaw(ctx, input.pasteId))),
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
  consume: guestProcedure
    .input(readForm)
    .mutation(async ({ ctx, input }) =>
      withHighlights(await ctx.readLarge(() => consumePaste(ctx, input.pasteId, input.proof))),
    ),
  deletable: guestProcedure.input(deleteForm).query(async ({ ctx, input }) => {
    const { createdAt, expiresAt } = await findDeletablePaste(ctx, input.pasteId, input.token)
    return { createdAt, expiresAt, now: ctx.now() }
  }),
  delete: guestProcedure.input(deleteForm).mutation(({ ctx, input }) => deletePaste(ctx, input.pasteId, input.token)),
})
