import { and, desc, eq, lt, ne, sql } from 'drizzle-orm'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { createBoardCheck } from '#server/features/board/boards/boards.ts'
import {
  type CompiledFilters,
  compileFilters,
  type Filter,
  findFilter,
  parseFilterValue,
  readLinks,
} from '#server/features/moderation/admission/compileFilters.ts'
import { replaceMatches, textOf } from '#server/features/moderation/admission/filterCheck.ts'
import { type FilterDryRun, type FilteredPost, type FilterSubject, filterLimits } from '#src/contract/filters.ts'
import { excerpt } from '#src/lib/excerpt.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EXCERPT_LENGTH = 200
/** Posts per query: at most 10 MB of text in memory. */
const BATCH = 500
/** Bounds the work of one run. */
const MAX_POSTS = 20_000
const MAX_RUN_MS = 2000

/**
 * Applies a filter to the posts of the last week, newest first, including held and removed posts. Pastes are encrypted,
 * so a dry run cannot check them.
 * @throws AppError 400 if the filter's value is not valid
 */
export async function tryFilter(
  { db, now, knownBoards }: Pick<Services, 'db' | 'now' | 'knownBoards'>,
  subject: FilterSubject,
): Promise<FilterDryRun> {
  const { kind, fields, effect, replacement } = subject
  const value = parseFilterValue(subject)
  const tried: Filter = { id: 0, kind, value, fields, effect: 'refuse', message: '', replacement: '' }
  const isBoard = await createBoardCheck(knownBoards)
  const rejectInvalid = (_: Filter, error: unknown) => {
    throw error
  }
  const compile = (given: Filter) => compileFilters([given], rejectInvalid, isBoard)
  const compiled = compile(tried)
  const withLinks = kind === 'literal' ? compile(readLinks(tried)) : null
  const replacing = effect === 'replace' ? compile({ ...tried, effect, replacement }) : null
  const since = now().getTime() - filterLimits.dryRunDays * DAY_MS
  const startedAt = performance.now()
  const result: FilterDryRun = { count: 0, posts: [], inLinks: 0, linkPosts: [], checked: 0, complete: false }
  let before = Number.MAX_SAFE_INTEGER
  while (result.checked < MAX_POSTS && performance.now() - startedAt < MAX_RUN_MS) {
    const rows = await readPosts(db, before)
    for (const { title, content, links, ...row } of rows) {
      // An older post with a higher number was restored from a backup.
      if (row.createdAt.getTime() < since) continue
      result.checked++
      const text = textOf({ title, content, links })
      const caught = findFilter(compiled, 'post', text) ?? findFilter(compiled, 'name', row.author)
      if (!caught && !(withLinks && findFilter(withLinks, 'post', text))) continue
      const listed = caught ? result.posts : result.linkPosts
      if (caught) result.count++
      else result.inLinks++
      if (listed.length >= filterLimits.dryRunPosts) continue
      const shown = title ? `${title}\n${content}` : content
      const change = replacing && caught ? describeChange(replacing, shown, row.author) : null
      listed.push({ ...row, excerpt: excerpt(shown, EXCERPT_LENGTH), ...change })
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH || last.createdAt.getTime() < since) return { ...result, complete: true }
    before = last.id
  }
  return result
}

/** Shows what a filter replaces in a post: from shortly before the first change on, if the excerpt ends before it. */
function describeChange(compiled: CompiledFilters, text: string, author: string): Partial<FilteredPost> {
  const [replaced, name] = [replaceMatches(compiled, 'post', text), replaceMatches(compiled, 'name', author)]
  let same = 0
  while (same < text.length && text[same] === replaced[same]) same++
  const start = same < text.length && same > EXCERPT_LENGTH / 2 ? same - EXCERPT_LENGTH / 4 : 0
  const show = (whole: string) => (start > 0 ? '…' : '') + excerpt(whole.slice(start).toWellFormed(), EXCERPT_LENGTH)
  return {
    ...(start > 0 && { excerpt: show(text) }),
    after: show(replaced),
    ...(name !== author && { authorAfter: name }),
  }
}

/** Reads posts by number, descending. */
function readPosts(db: Services['db'], before: number) {
  const { id, threadId, author, content, links, createdAt } = post
  return db
    .select({
      ...{ id, boardId: thread.boardId, threadId, author, content, links, createdAt },
      title: sql<string | null>`case when ${id} = ${thread.id} then ${thread.title} end`,
      withheld: sql<boolean>`${post.state} <> 'live'`,
    })
    .from(post)
    .innerJoin(thread, eq(thread.id, threadId))
    .where(and(lt(id, before), ne(post.state, 'erased')))
    .orderBy(desc(id))
    .limit(BATCH)
}
