import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { splitAuthor } from '#src/contract/authorName.ts'
import { type HoldCode, heldByFilter } from '#src/contract/heldPosts.ts'
import type { PasteForm } from '#src/contract/paste.ts'
import { type PostForm, threadForm } from '#src/contract/post.ts'
import { ownText, refusal } from '#src/contract/refusal.ts'
import { type Filter, findFilter } from './compileFilters.ts'
import { SPOILER_TAG } from './filterText.ts'
import { replaceMatches } from './replaceMatches.ts'

export type PostText = { title?: string | null; content: string; links: string[] }

/** Returns a post's text as readers see it. */
export const textOf = ({ title, content, links }: PostText): string =>
  [title ?? '', content, ...links].join('\n').replace(SPOILER_TAG, '')

/**
 * Checks a post's text and name.
 * @returns why the post is held, for moderators; null if no filter holds it
 * @throws AppError 403 with the filter's message, 400 for a text that takes too long
 */
export async function filterPost(
  { moderation }: Pick<Context, 'moderation'>,
  form: PostForm,
): Promise<HoldCode | null> {
  const filters = await moderation.filters.get()
  const found = [findFilter(filters, 'post', textOf(form)), findFilter(filters, 'name', form.author)].filter(
    (match) => match !== null,
  )
  for (const match of found) if (match.effect === 'refuse') throw createRefusal(match)
  return found[0] ? heldByFilter(found[0]) : null
}

/**
 * Replaces what filters find in a post's title, text and name.
 * @throws AppError 403 if the form would not accept the result, such as a text that has become too long
 */
export async function replaceInPost<Form extends PostForm>(
  { moderation }: Pick<Context, 'moderation'>,
  form: Form,
): Promise<Form> {
  const filters = await moderation.filters.get()
  const { title } = form
  const replaced = {
    ...form,
    ...(title !== undefined && { title: replaceMatches(filters, 'post', title) }),
    content: replaceMatches(filters, 'post', form.content),
    author: replaceMatches(filters, 'name', form.author),
  }
  const { content, author } = replaced
  const isAccepted =
    (content === form.content || threadForm.shape.content.safeParse(content).success) &&
    (author === form.author || isNick(author)) &&
    (replaced.title === title || threadForm.shape.title.safeParse(replaced.title).success)
  if (!isAccepted) throw errors.forbidden(refusal('moderation.filterRefused'))
  return replaced
}

/** A name with `#` would look like a code. */
const isNick = (name: string) => threadForm.shape.author.safeParse(name).success && splitAuthor(name).nick === name

/**
 * Checks a paste before it is encrypted. A paste cannot be held, because nobody may read it. Pastes that the browser
 * encrypted cannot be checked.
 * @throws AppError 403 with the filter's message, 400 for a text that takes too long
 */
export async function filterPaste(
  { moderation }: Pick<Context, 'moderation'>,
  { content, encrypted }: PasteForm,
): Promise<void> {
  if (encrypted) return
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
  const found = findFilter(await moderation.filters.get(), 'paste', text)
  if (found) throw createRefusal(found)
}

const createRefusal = ({ message }: Filter) =>
  errors.forbidden(message ? ownText(message) : refusal('moderation.filterRefused'))
