import { RE2JS } from 're2js'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { splitAuthor } from '#src/contract/authorName.ts'
import type { FilterField } from '#src/contract/filters.ts'
import type { PasteForm } from '#src/contract/paste.ts'
import { type PostForm, threadForm } from '#src/contract/post.ts'
import { type HoldCode, heldByFilter } from '#src/contract/queue.ts'
import { ownText, refusal } from '#src/contract/refusal.ts'
import {
  type CompiledFilters,
  type Filter,
  FLAGS,
  findFilter,
  listMatching,
  patternOf,
  scopeOf,
} from './compileFilters.ts'
import { cleanText, type IsBoard, SPOILER_TAG, splitAtLinks } from './filterText.ts'

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
  const filters = await moderation.filters()
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
  const filters = await moderation.filters()
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
  const found = findFilter(await moderation.filters(), 'paste', text)
  if (found) throw createRefusal(found)
}

const createRefusal = ({ message }: Filter) =>
  errors.forbidden(message ? ownText(message) : refusal('moderation.filterRefused'))

/** Replaces what filters with this effect find in a field, one filter after the other. */
export function replaceMatches(compiled: CompiledFilters, field: FilterField, text: string): string {
  const read = text.replace(SPOILER_TAG, '')
  const found = [...listMatching(compiled, field, read)].filter(({ effect }) => effect === 'replace')
  return [...new Set(found)].reduce((before, filter) => replaceBy(filter, field, before, compiled.isBoard), text)
}

function replaceBy(filter: Filter, field: FilterField, text: string, isBoard: IsBoard): string {
  const pattern = RE2JS.compile(patternOf(filter), FLAGS)
  const replace = (part: string) => replaceAcrossTags(pattern, part, filter.replacement)
  const scope = field === 'post' ? scopeOf(filter) : 'everything'
  const split = (whole: string) =>
    scope === 'everything' ? [whole] : splitAtLinks(whole, { withUrls: scope === 'no links', isBoard })
  // Every second part is a link, which the filter does not read.
  const replaceOutside = (whole: string) =>
    split(whole)
      .map((part, index) => (index % 2 === 0 ? replace(part) : part))
      .join('')
  const replaced = replaceOutside(text)
  const normal = replaceOutside(cleanText(text))
  // The text as its author wrote it stays, unless other forms of letters hid a match.
  return cleanText(replaced) === normal ? replaced : normal
}

/** Finds matches that tags of spoilers split, too. If a spoiler hides a part of one, it hides the whole replacement. */
function replaceAcrossTags(pattern: RE2JS, text: string, replacement: string): string {
  const tags = [...text.matchAll(SPOILER_TAG)]
  const matcher = pattern.matcher(text.replace(SPOILER_TAG, ''))
  let result = ''
  let [at, passed, shift] = [0, 0, 0]
  /** Returns the place in the text of a place between the tags. */
  const placeOf = (index: number, isEnd: boolean): number => {
    for (let tag = tags[passed]; tag && tag.index - shift < index + (isEnd ? 0 : 1); tag = tags[++passed])
      shift += tag[0].length
    return index + shift
  }
  while (matcher.find()) {
    const [from, to] = [placeOf(matcher.start(), false), placeOf(matcher.end(), true)]
    const inside = text.slice(from, to).match(SPOILER_TAG) ?? []
    const [closing, opening] = [true, false].map((isClosing) =>
      inside.filter((tag) => tag.startsWith('[/') === isClosing).join(''),
    )
    result += `${text.slice(at, from)}${opening}${replacement}${closing}`
    at = to
  }
  return result + text.slice(at)
}
