import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { importedThread, post, quote, removedQuote, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { type Publisher, publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { publishQuoteChanges } from '#server/features/board/quotes.ts'
import { sumCosts } from '#server/features/board/threadLimits.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { PostImage } from './images.ts'
import {
  type LeftOut,
  type Pending,
  readComments,
  readThreadStates,
  readUsedIds,
  selectPending,
} from './importedState.ts'
import type { PostText, ToId } from './posts.ts'
import { createToId, type Target } from './ranges.ts'
import type { ImportedPost, ImportedThread } from './types.ts'

/** Key of the lock that makes a second import of the same board wait. */
const IMPORT_LOCK = 0x696d70

export type Written = { threads: number; posts: number; images: number; leftOut: LeftOut[] }

type PostRow = {
  id: number
  thread_id: number
  parent_id: number | null
  author: string
  content: string
  links: string[]
  image_id: string | null
  image: PostImage['image'] | null
  spoiler: boolean
  created_at: Date
}
type ThreadRow = {
  id: number
  title: string
  last_activity: Date
  comment_count: number
  reply_count: number
  image_count: number
  byte_count: number
  node_count: number
  locked: boolean
  pinned: boolean
  archived_at: Date | null
}

/** What the posts of a batch say, and their images, by number. */
export type BatchContent = { texts: ReadonlyMap<number, PostText>; images: ReadonlyMap<number, PostImage> }

/** Writes parts of threads of one board in one transaction, without the posts that this site has already. */
export async function writeBatch(
  deps: Publisher & Pick<Services, 'now'>,
  target: Target,
  parts: ImportedThread[],
  content: BatchContent,
): Promise<Written> {
  const toId = createToId(target)
  return writeAndPublish(deps, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK}::int, hashtext(${target.name}))`)
    const states = await readThreadStates(tx, target.name, parts, toId)
    const selected = parts.map((part) => selectPending(part, states.get(part.number)))
    const leftOut = selected.flatMap((one) => one.leftOut)
    const pending = await withoutUsedIds(
      tx,
      selected.flatMap((one) => one.pending ?? []),
      toId,
      leftOut,
    )
    if (pending.length === 0) return { threads: 0, posts: 0, images: 0, leftOut }
    const rows = await createRows(tx, pending, content, toId)
    await limitPins(tx, target.boardId, rows.newThreads, leftOut, toId, pending)
    await insertThreads(tx, target.boardId, rows.newThreads)
    await insertPosts(tx, rows.posts)
    await updateThreads(tx, rows.grownThreads)
    await insertQuotes(tx, deps.now(), rows.posts, rows.quotes)
    await recordThreads(tx, target.name, pending)
    await publish(tx, deps.now(), changesOf(target.boardId, rows))
    return {
      threads: rows.newThreads.length,
      posts: rows.posts.length,
      images: rows.posts.filter(({ image }) => image !== null).length,
      leftOut,
    }
  })
}

/** Leaves out posts whose number is used twice: in another thread of the source, or by a post of this site. */
async function withoutUsedIds(tx: Transaction, pending: Pending[], toId: ToId, leftOut: LeftOut[]): Promise<Pending[]> {
  const ids = pending.flatMap(({ posts }) => posts.flatMap(({ number }) => toId(number) ?? []))
  const used = await readUsedIds(tx, ids)
  const isFree = ({ number }: ImportedPost) => {
    const id = toId(number)
    const free = id !== null && !used.has(id)
    if (id !== null) used.add(id)
    if (!free) leftOut.push({ number, reason: 'post left out: another post has its number' })
    return free
  }
  return pending.flatMap((one) => {
    const posts = one.posts.filter(isFree)
    if (one.isNew && posts[0]?.number !== one.thread.number) return []
    return posts.length === 0 ? [] : { ...one, posts }
  })
}

type Quote = { from_id: number; to_id: number }
type Rows = { posts: PostRow[]; quotes: Quote[]; newThreads: ThreadRow[]; grownThreads: ThreadRow[] }

async function createRows(tx: Transaction, pending: Pending[], content: BatchContent, toId: ToId): Promise<Rows> {
  const rows: Rows = { posts: [], quotes: [], newThreads: [], grownThreads: [] }
  const isParentOf = await createParentCheck(tx, pending, toId)
  for (const { thread: source, isNew, posts } of pending) {
    const threadId = toId(source.number) as number
    const texts = posts.map(({ number }) => content.texts.get(number) as PostText)
    const own = posts.map((one, index) =>
      createPostRow(one, texts[index] as PostText, {
        threadId,
        toId,
        isParentOf,
        image: content.images.get(one.number),
      }),
    )
    rows.posts.push(...own)
    for (const [index, { id }] of own.entries()) {
      for (const quoted of texts[index]?.quotes ?? []) rows.quotes.push({ from_id: id, to_id: quoted })
    }
    const row = createThreadRow(source, threadId, texts, own)
    ;(isNew ? rows.newThreads : rows.grownThreads).push(row)
  }
  return rows
}

type ParentCheck = (parentId: number, threadId: number) => boolean

/** Only comments have replies. A parent is in the same part, or was imported before. */
async function createParentCheck(tx: Transaction, pending: Pending[], toId: ToId): Promise<ParentCheck> {
  const comments = new Map<number, number>()
  const wanted = new Set<number>()
  for (const { thread: source, posts } of pending) {
    const threadId = toId(source.number) as number
    for (const { number, parent } of posts) {
      const id = toId(number) as number
      if (parent === null && id !== threadId) comments.set(id, threadId)
      const parentId = parent === null ? null : toId(parent)
      if (parentId !== null) wanted.add(parentId)
    }
  }
  const earlier = await readComments(
    tx,
    [...wanted].filter((id) => !comments.has(id)),
  )
  return (parentId, threadId) => (comments.get(parentId) ?? earlier.get(parentId)) === threadId
}

function createPostRow(
  source: ImportedPost,
  { author, content, links }: PostText,
  place: { threadId: number; toId: ToId; isParentOf: ParentCheck; image: PostImage | undefined },
): PostRow {
  const { threadId, toId, isParentOf, image } = place
  const id = toId(source.number) as number
  const parentId = source.parent === null ? null : toId(source.parent)
  const isReply = parentId !== null && parentId < id && isParentOf(parentId, threadId)
  return {
    id,
    thread_id: threadId,
    parent_id: isReply ? parentId : null,
    author,
    content,
    links,
    image_id: image?.imageId ?? null,
    image: image?.image ?? null,
    spoiler: source.spoiler && image !== undefined,
    created_at: source.time,
  }
}

function createThreadRow(
  { locked, pinned, archivedAt }: ImportedThread,
  id: number,
  texts: PostText[],
  posts: PostRow[],
): ThreadRow {
  const { bytes, nodes } = sumCosts(texts.map(({ cost }) => cost))
  const replies = posts.filter(({ parent_id }) => parent_id !== null).length
  return {
    id,
    title: texts[0]?.title ?? '',
    last_activity: new Date(Math.max(...posts.map(({ created_at }) => created_at.getTime()))),
    comment_count: posts.filter((one) => one.id !== id).length - replies,
    reply_count: replies,
    image_count: posts.filter(({ image }) => image !== null).length,
    byte_count: bytes,
    node_count: nodes,
    locked,
    pinned: pinned && !archivedAt,
    archived_at: archivedAt ?? null,
  }
}

/** A board's first page shows all its pinned threads, so their number is limited. */
async function limitPins(
  tx: Transaction,
  boardId: string,
  threads: ThreadRow[],
  leftOut: LeftOut[],
  toId: ToId,
  pending: Pending[],
): Promise<void> {
  const pinned = threads.filter((one) => one.pinned)
  if (pinned.length === 0) return
  const count = await tx.$count(
    thread,
    sql`${thread.boardId} = ${boardId} and ${thread.pinned} and ${thread.deletedAt} is null`,
  )
  for (const one of pinned.slice(Math.max(0, boardLimits.pinnedThreads - count))) {
    one.pinned = false
    const number = pending.find(({ thread: source }) => toId(source.number) === one.id)?.thread.number ?? one.id
    leftOut.push({ number, reason: `not pinned: a board has at most ${boardLimits.pinnedThreads} pinned threads` })
  }
}

/** Passes rows as one JSON parameter, because a statement can have at most 65,535 parameters. */
const recordset = (rows: object[], columns: string): SQL =>
  sql`json_to_recordset(${JSON.stringify(rows)}::json) as given(${sql.raw(columns)})`

const THREAD_COLUMNS =
  'id bigint, title text, last_activity timestamptz, comment_count int, reply_count int, image_count int, byte_count bigint, node_count bigint, locked boolean, pinned boolean, archived_at timestamptz'

async function insertThreads(tx: Transaction, boardId: string, threads: ThreadRow[]): Promise<void> {
  if (threads.length === 0) return
  await tx.execute(sql`insert into ${thread} (id, board_id, title, last_activity, comment_count, reply_count, image_count,
      byte_count, node_count, locked, pinned, archived_at)
    select id, ${boardId}, title, last_activity, comment_count, reply_count, image_count, byte_count, node_count,
      locked, pinned, archived_at
    from ${recordset(threads, THREAD_COLUMNS)}`)
}

async function updateThreads(tx: Transaction, threads: ThreadRow[]): Promise<void> {
  if (threads.length === 0) return
  await tx.execute(sql`update ${thread} set last_activity = greatest(${thread.lastActivity}, given.last_activity),
      comment_count = ${thread.commentCount} + given.comment_count, reply_count = ${thread.replyCount} + given.reply_count,
      image_count = ${thread.imageCount} + given.image_count,
      byte_count = ${thread.byteCount} + given.byte_count, node_count = ${thread.nodeCount} + given.node_count
    from ${recordset(threads, THREAD_COLUMNS)} where ${thread.id} = given.id`)
}

async function insertPosts(tx: Transaction, posts: PostRow[]): Promise<void> {
  await tx.execute(sql`insert into ${post} (id, thread_id, parent_id, author, content, links, image_id, image, spoiler, created_at)
    select id, thread_id, parent_id, author, content, links, image_id, image, spoiler, created_at
    from ${recordset(posts, 'id bigint, thread_id bigint, parent_id bigint, author text, content text, links jsonb, image_id text, image jsonb, spoiler boolean, created_at timestamptz')}
    order by id`)
}

/** Quotes of posts that are imported later wait in `removed_quote`; see `connectQuotes`. */
async function insertQuotes(tx: Transaction, now: Date, posts: PostRow[], pairs: Quote[]): Promise<void> {
  if (pairs.length === 0) return
  const rows = await tx.execute<{ id: string; threadId: string }>(sql`
    with given as materialized (select from_id, to_id, ${post.threadId} as thread_id
        from ${recordset(pairs, 'from_id bigint, to_id bigint')} left join ${post} on ${post.id} = to_id),
      waiting as (insert into ${removedQuote} (from_id, to_id) select from_id, to_id from given where thread_id is null
        on conflict do nothing),
      stored as (insert into ${quote} (from_id, to_id) select from_id, to_id from given where thread_id is not null)
    select distinct to_id as id, thread_id as "threadId" from given where thread_id is not null`)
  const ownThreads = new Set(posts.map(({ thread_id }) => thread_id))
  const elsewhere = rows.flatMap(({ id, threadId }) => (ownThreads.has(Number(threadId)) ? [] : Number(id)))
  await publishQuoteChanges(tx, now, elsewhere)
}

async function recordThreads(tx: Transaction, source: string, pending: Pending[]): Promise<void> {
  const rows = pending.map(({ thread: { number, posts } }) => ({ number, newest: posts.at(-1)?.number ?? number }))
  await tx.execute(sql`insert into ${importedThread} (source, number, newest)
    select ${source}, number, newest from ${recordset(rows, 'number bigint, newest bigint')}
    on conflict (source, number) do update set newest = greatest(${importedThread.newest}, excluded.newest)`)
}

function changesOf(boardId: string, { newThreads, grownThreads }: Rows): TopicChange[] {
  // One event per board is enough to refresh its pages and feeds.
  const [some] = [...newThreads, ...grownThreads]
  return [
    ...grownThreads.map(({ id }): TopicChange => ({ topic: `thread:${id}`, change: { kind: 'stale' } })),
    ...(some ? [{ topic: `board:${boardId}`, change: { kind: 'thread', threadId: some.id } } as const] : []),
  ]
}

/** Stores the quotes of posts that were imported later, when all posts of a board are there. Forgets the others. */
export async function connectQuotes(deps: Publisher & Pick<Services, 'now'>, { ranges }: Target): Promise<void> {
  for (const { first, last, shift } of ranges) {
    const isOwn = sql`${removedQuote.fromId} between ${first + shift}::bigint and ${last + shift}::bigint`
    await writeAndPublish(deps, async (tx) => {
      const rows = await tx.execute<{ id: string }>(sql`
        with found as (delete from ${removedQuote} using ${post} quoting, ${post} quoted
            where ${isOwn} and quoting.id = ${removedQuote.fromId} and quoted.id = ${removedQuote.toId}
            returning ${removedQuote.fromId}, ${removedQuote.toId}),
          stored as (insert into ${quote} (from_id, to_id) select from_id, to_id from found on conflict do nothing)
        select distinct to_id as id from found`)
      await publishQuoteChanges(
        tx,
        deps.now(),
        rows.map(({ id }) => Number(id)),
      )
      await tx.execute(sql`delete from ${removedQuote} where ${isOwn}
        and not exists (select from withheld_post where id in (${removedQuote.fromId}, ${removedQuote.toId}))`)
    })
  }
}
