import { guestProcedure, limited, router } from '#server/core/rpc/procedures.ts'
import type { OpenedPaste, PasteSize, PasteView } from '#src/contract/paste.ts'
import { deleteForm, pasteForm, pasteParams, readForm } from '#src/contract/pasteForms.ts'
import { createPaste, storedPaste } from './createPaste.ts'
import { beginningOf, SHOWN_CHARACTERS } from './excerpt.ts'
import { marksOf } from './highlighter.ts'
import { deletePaste, findDeletable, readForGood, readPaste, readRaw } from './service.ts'
import { closedView } from './view.ts'

/** Only what the server can read has colours. */
async function withMarks(paste: PasteView, whole: PasteSize | null = null): Promise<OpenedPaste> {
  return { paste, marks: paste.encoding === 'utf-8' ? await marksOf(paste.content, paste.language) : [], whole }
}

export const pasteRouter = router({
  create: guestProcedure
    .input(pasteForm)
    .use(limited('paste', storedPaste))
    .mutation(({ ctx, input }) => createPaste(ctx, input)),
  get: guestProcedure.input(pasteParams).query(({ ctx, input }) => ctx.readLarge(() => readPaste(ctx, input.pasteId))),
  raw: guestProcedure.input(pasteParams).query(({ ctx, input }) => ctx.readLarge(() => readRaw(ctx, input.pasteId))),
  /** `now` is the server's clock, by which the page tells the time that remains. */
  page: guestProcedure.input(pasteParams).query(async ({ ctx, input }) => {
    const paste = await ctx.readLarge(() => readPaste(ctx, input.pasteId))
    const now = ctx.now()
    if (paste.content === null) return { closed: paste, now }
    // A long one that only a browser can open is fetched by it, with its proof, and not sent with the page.
    if (paste.encrypted && paste.content.length > SHOWN_CHARACTERS) {
      return { closed: closedView(paste.id, paste), now }
    }
    const { paste: shown, whole } = paste.encrypted ? { paste, whole: null } : beginningOf(paste)
    return { ...(await withMarks(shown, whole)), now }
  }),
  // A mutation, for what it does and so that no address of a paste becomes part of another.
  read: guestProcedure
    .input(readForm)
    .mutation(async ({ ctx, input }) =>
      withMarks(await ctx.readLarge(() => readForGood(ctx, input.pasteId, input.proof))),
    ),
  deletable: guestProcedure.input(deleteForm).query(async ({ ctx, input }) => {
    const { createdAt, expiresAt } = await findDeletable(ctx, input.pasteId, input.token)
    return { createdAt, expiresAt, now: ctx.now() }
  }),
  delete: guestProcedure.input(deleteForm).mutation(({ ctx, input }) => deletePaste(ctx, input.pasteId, input.token)),
})
