import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { post, shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { Quotes } from '#server/features/board/quotes.ts'
import type { CommentView, PostView } from '#src/contract/post.ts'
import { shownColumns } from './queries.ts'
import { createViewOf, type PostRow, type ViewOf } from './view.ts'

type Reader = Pick<Services, 'db'>

/** Limits memory. A post, its view and its HTML take about 2 kB, and about as much more for so many characters. */
const MAX_POSTS = 6000
const CHARACTERS_OF_POST = 500
/** Frees the memory of threads that nobody reads. */
const TTL_MS = 10 * 60_000

/** `others` is what the view has besides the row, as text. */
type KeptPost = { row: PostRow; view?: PostView | CommentView; others?: string }

/** The posts of a thread in their order, as one statement read them. */
type KeptThread = {
  /** the oldest transaction that had not ended then: everything that changed later is by it or by a newer one */
  since: string
  posts: ReadonlyMap<number, KeptPost>
}

/** by the database, and by board and thread: a post's HTML names the board */
const keptThreads = new WeakMap<Services['db'], LRUCache<string, KeptThread>>()

/**
 * Reads the shown posts of a thread. Of a thread that was read before, it reads only the posts that have changed.
 * @returns null if the thread does not show its opening post
 */
export async function readKeptThread(
  { db, cache }: Pick<Services, 'db' | 'cache'>,
  boardId: string,
  threadId: number,
): Promise<KeptThread | null> {
  const kept = keptThreads.get(db) ?? createCache()
  keptThreads.set(db, kept)
  // A connection that was lost may lead to another copy of the database now, which counts transactions of its own.
  const key = `${cache.lastChange([])} ${boardId} ${threadId}`
  const before = kept.get(key)
  const thread = (before && (await readChanges({ db }, threadId, before))) ?? (await readAll({ db }, threadId))
  if (thread) kept.set(key, thread)
  return thread
}

const createCache = () =>
  new LRUCache<string, KeptThread>({
    maxSize: MAX_POSTS,
    sizeCalculation: ({ posts }) => [...posts.values()].reduce((size, { row }) => size + sizeOf(row), 0),
    ttl: TTL_MS,
    ttlAutopurge: true,
  })

const sizeOf = ({ content }: PostRow) => 1 + Math.floor(content.length / CHARACTERS_OF_POST)

async function readAll(reader: Reader, threadId: number): Promise<KeptThread | null> {
  const rows = await selectPosts(reader.db, threadId, sql`null`)
  const [opening] = rows
  if (opening?.since == null) return null
  return { since: opening.since, posts: new Map(rows.map((row) => [row.id, { row }])) }
}

/** @returns null if the posts cannot be told from what was read before */
async function readChanges(reader: Reader, threadId: number, before: KeptThread): Promise<KeptThread | null> {
  const isChanged = sql`id = ${threadId} or age(xmin) <= age(${before.since}::xid8::xid)`
  const shown = reader.db.$with('shown').as((query) =>
    query
      .select({
        ids: sql<string>`string_agg(id::text, ',')`.as('ids'),
        changed: sql`array_agg(id) filter (where ${isChanged})`.as('changed'),
      })
      .from(post)
      .where(sql`thread_id = ${threadId} and (state = 'live' or stub)`),
  )
  const condition = sql`${shownPost.id} = any((select changed from shown)::bigint[])`
  const rows = await selectPosts(reader.db.with(shown), threadId, sql`(select ids from shown)`, condition)
  const [opening] = rows
  // A database that was replaced by an older copy counts transactions again.
  if (opening?.since == null || !opening.ids || BigInt(opening.since) < BigInt(before.since)) return null
  const read = new Map(rows.map((row) => [row.id, { row }]))
  const posts = new Map<number, KeptPost>()
  const ids = opening.ids.split(',').map(Number)
  for (const id of ids.sort((a, b) => a - b)) {
    const one = read.get(id) ?? before.posts.get(id)
    if (!one) return null
    posts.set(id, one)
  }
  return { since: opening.since, posts }
}

/** The row of the opening post, which is the first one, also has `since` and `ids`. */
function selectPosts(db: Pick<Services['db'], 'select'>, threadId: number, ids: SQL, condition?: SQL) {
  const inOpening = (value: SQL) => sql<string | null>`case when ${shownPost.id} = ${threadId} then ${value} end`
  const since = inOpening(sql`pg_snapshot_xmin(pg_current_snapshot())::text`)
  const columns = { ...shownColumns, since, ids: inOpening(ids) }
  const isRead = and(eq(shownPost.threadId, threadId), condition)
  return db.select(columns).from(shownPost).where(isRead).orderBy(asc(shownPost.id))
}

/** Returns a function like `createViewOf`, which returns the view before if nothing in it has changed. */
export function createKeptViewOf({ posts }: KeptThread, quotes: Quotes): ViewOf {
  const viewOf = createViewOf(quotes)
  return ((row: PostRow, replies?: PostView[]) => {
    const kept = posts.get(row.id)
    const others = othersOf(row, quotes)
    if (kept?.view && kept.others === others && areSame('replies' in kept.view ? kept.view.replies : [], replies))
      return kept.view
    const view = replies ? viewOf(row, replies) : viewOf(row)
    if (kept) Object.assign(kept, { view, others })
    return view
  }) as ViewOf
}

/** Returns what a view has besides the columns of its post, as text. It is empty for most posts. */
function othersOf({ id, highlights, cards, boardLinks }: PostRow, { quotes, quotedBy }: Quotes): string {
  const others = [quotes.get(id), quotedBy.get(id), highlights, cards, boardLinks]
  return others.some(Boolean) ? JSON.stringify(others) : ''
}

const areSame = (before: PostView[], now: PostView[] = []): boolean =>
  before.length === now.length && before.every((reply, index) => reply === now[index])
