import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { importedRange, importedThread, livePost, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { siteActor } from '#server/features/moderation/log/log.ts'
import type { Range, Target } from '#server/import/write/ranges.ts'
import type { SiteReason } from '#src/contract/log.ts'

const PAGE = 10_000
const REASON: SiteReason = 'gone'

/** Posts of one thread that are not in the source any more. */
type GonePosts = { threadId: number; boardId: string; ids: number[]; numbers: number[] }

/**
 * Finds published posts of an imported board that the source no longer has.
 * @param numbers of all posts in the source
 * @param unread places such as `/b/123` of posts and threads in the source that cannot be read
 */
export async function findGone(
  { db }: Pick<Context, 'db'>,
  { name, ranges }: Target,
  numbers: ReadonlySet<number>,
  unread: ReadonlySet<string>,
): Promise<GonePosts[]> {
  const found = new Map<number, GonePosts>()
  const isUnread = (number: number) => unread.has(`/${name}/${number}`)
  for (const { first, last, shift } of ranges) {
    let after = first + shift - 1
    for (;;) {
      const rows = await db
        .select({ id: livePost.id, threadId: livePost.threadId, boardId: thread.boardId })
        .from(livePost)
        .innerJoin(thread, eq(thread.id, livePost.threadId))
        .where(and(gt(livePost.id, after), lte(livePost.id, last + shift), isImportedFrom(name)))
        .orderBy(asc(livePost.id))
        .limit(PAGE)
      for (const { id, threadId, boardId } of rows) {
        const number = id - shift
        if (numbers.has(number) || isUnread(number) || isUnread(toNumber(ranges, threadId))) continue
        const own = found.get(threadId) ?? { threadId, boardId, ids: [], numbers: [] }
        own.ids.push(id)
        own.numbers.push(number)
        found.set(threadId, own)
      }
      if (rows.length < PAGE) break
      after = rows.at(-1)?.id ?? last + shift
    }
  }
  return [...found.values()]
}

/** Boards of one source can share a range, and threads move between boards. */
const isImportedFrom = (name: string) => sql`exists (select from ${importedRange} join ${importedThread}
  on ${importedThread.source} = ${name} and ${importedThread.number} = ${thread.id} - ${importedRange.shift}
  where ${importedRange.source} = ${name}
    and ${thread.id} between ${importedRange.first} + ${importedRange.shift} and ${importedRange.last} + ${importedRange.shift})`

function toNumber(ranges: Range[], id: number): number {
  const range = ranges.find(({ first, last, shift }) => first + shift <= id && id <= last + shift)
  return range ? id - range.shift : 0
}

/** Removes the posts as a moderator does: they can be restored from the moderation log for some time. */
export async function removeGone(ctx: Context, threads: GonePosts[]): Promise<void> {
  for (const { threadId, boardId, ids } of threads) {
    // With its opening post, a thread goes with all its posts.
    const [only] = ids.includes(threadId) ? [threadId] : ids.length === 1 ? ids : []
    const record = { action: 'delete', actor: siteActor, boardId, threadId, reason: REASON } as const
    const removed = only === undefined ? ids : [only]
    const item = only === undefined ? {} : { itemId: String(only) }
    await writeAndPublish(ctx, (tx) => changeState(ctx, tx, removed, 'removed', { record: { ...record, ...item } }))
  }
}
