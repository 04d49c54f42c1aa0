import { isModerator } from '#server/core/auth/moderators.ts'
import type { Context } from '#server/core/context.ts'
import { type Admission, admitDuringRaid, PUBLISHED } from '#server/features/moderation/raids/raidAdmission.ts'
import type { RaidDetector } from '#server/features/moderation/raids/raidDetector.ts'
import type { PasteForm } from '#src/contract/paste.ts'
import type { PostForm } from '#src/contract/post.ts'
import { filterPaste, filterPost, replaceInPost, textOf } from './filterCheck.ts'
import { rejectBanned } from './liveBans.ts'
import { activeSwitches, rejectBySwitches, requiresProofs, type Write } from './switches.ts'

type NewPost<Form = PostForm> = { boardId: string; isThread: boolean; form: Form }

/** `form`: what is stored. `raid` counts the post when it is stored. `forget` is called if it is not. */
type PostAdmission<Form> = Admission & { form: Form; raid: RaidDetector | null; forget: () => void }

/**
 * Decides whether a post is published, held or refused. During a raid, the caller must have spent the captcha: posts use
 * up quotas of others even if they are not stored.
 * @throws AppError 403, or 429 during a raid
 */
export async function admitPost<Form extends PostForm>(
  ctx: Context,
  { boardId, isThread, form }: NewPost<Form>,
): Promise<PostAdmission<Form>> {
  await rejectBanned(ctx, boardId)
  if (await isExempt(ctx, boardId)) return { ...PUBLISHED, form, raid: null, forget: () => {} }
  const { raid, recentPosts } = ctx.moderation
  const isRaid = await requiresProofs(ctx)
  if (isRaid) raid.count()
  // A post that is not stored is forgotten, so that the author may send the same text again.
  const { isRepeated, remove: forget } = recentPosts.add(textOf(form))
  try {
    const admission = await decide(ctx, { isThread, form, isRepeated })
    // Otherwise not before the post is stored, or one captcha, sent again and again, could start a raid.
    return { ...admission, form: await replaceInPost(ctx, form), raid: isRaid ? null : raid, forget }
  } catch (error) {
    forget()
    throw error
  }
}

async function decide(
  ctx: Context,
  { isThread, form, isRepeated }: Omit<NewPost, 'boardId'> & { isRepeated: boolean },
): Promise<Admission> {
  const switches = await checkSwitches(ctx, isThread ? 'thread' : 'comment', (form.image ?? []).length > 0)
  const heldFor = (await filterPost(ctx, form)) ?? (switches.has('hold-posts') ? 'switch' : null)
  if (heldFor !== null) return { heldFor, releaseAt: null }
  const raid = switches.get('proof-of-work')
  return raid ? admitDuringRaid(ctx, raid, { ...form, isRepeated }) : PUBLISHED
}

async function checkSwitches(ctx: Context, kind: Write['kind'], hasImage: boolean) {
  const switches = await activeSwitches(ctx)
  // Most of the time no switch is on.
  if (switches.size > 0) rejectBySwitches(switches, { kind, hasImage, isMember: (await ctx.currentUser()) !== null })
  return switches
}

/** @throws AppError 403 */
export async function admitPaste(ctx: Context, form: PasteForm): Promise<void> {
  await rejectBanned(ctx, null)
  if (await isExempt(ctx, null)) return
  await checkSwitches(ctx, 'paste', false)
  await filterPaste(ctx, form)
}

/** @throws AppError 403 */
export async function admitImage(ctx: Context): Promise<void> {
  await rejectBanned(ctx, null)
  if (!(await isExempt(ctx, null))) await checkSwitches(ctx, 'image', true)
}

/** Returns whether switches, filters and proofs of work do not apply: to admins and to moderators of the board. */
async function isExempt(ctx: Context, boardId: string | null): Promise<boolean> {
  const user = await ctx.currentUser()
  return user !== null && (await isModerator(ctx, user, boardId))
}
