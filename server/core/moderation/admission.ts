import type { z } from 'zod'
import type { Context } from '#server/core/context.ts'
import type { commentForm } from '#src/contract/boardForms.ts'
import type { imageShareForm } from '#src/contract/imageForms.ts'
import type { PasteForm } from '#src/contract/pasteForms.ts'
import { rejectBanned } from './bans.ts'
import { isExempt } from './exemption.ts'
import { filterPaste, filterPost } from './filterCheck.ts'

/** Whether an admitted item is published at once. */
export type Admission = {
  /** why a post waits for a review, for moderators; null if it is published at once */
  heldFor: string | null
  /** when a held post is published without a review; null if it waits for a moderator */
  releaseAt: Date | null
}

type NewPost = { boardId: string; isThread: boolean; form: z.output<typeof commentForm> & { title?: string } }

const PUBLISHED: Admission = { heldFor: null, releaseAt: null }

/** Decides whether a post is published, held or refused. @throws AppError 403 */
export async function admitPost(ctx: Context, { boardId, form }: NewPost): Promise<Admission> {
  await rejectBanned(ctx, boardId)
  if (await isExempt(ctx, boardId)) return PUBLISHED
  return { heldFor: await filterPost(ctx, form), releaseAt: null }
}

/** @throws AppError 403 */
export async function admitPaste(ctx: Context, form: PasteForm): Promise<Admission> {
  await rejectBanned(ctx, null)
  if (!(await isExempt(ctx, null))) await filterPaste(ctx, form)
  return PUBLISHED
}

/** @throws AppError 403 */
export async function admitImage(ctx: Context, _form: z.output<typeof imageShareForm>): Promise<Admission> {
  await rejectBanned(ctx, null)
  return PUBLISHED
}
