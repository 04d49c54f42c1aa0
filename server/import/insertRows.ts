import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { importedThread, post, thread } from '#db/schema/index.ts'
import { changedNow } from '#server/features/board/read/threadConditions.ts'
import type { Pending } from './importedState.ts'
import type { PostRow, ThreadRow } from './rows.ts'

/** Passes rows as one JSON parameter, because a statement can have at most 65,535 parameters. */
export const recordset = (rows: object[], columns: string): SQL =>
  sql`json_to_recordset(${JSON.stringify(rows)}::json) as given(${sql.raw(columns)})`

const THREAD_COLUMNS =
  'id bigint, title text, last_activity timestamptz, comment_count int, reply_count int, image_count int, byte_count bigint, node_count bigint, locked boolean, pinned boolean, bumplocked boolean, cyclical boolean, archived_at timestamptz, changed_at timestamptz'

export async function insertThreads(tx: Transaction, boardId: string, threads: ThreadRow[]): Promise<void> {
  if (threads.length === 0) return
  await tx.execute(sql`insert into ${thread} (id, board_id, title, last_activity, comment_count, reply_count, image_count,
      byte_count, node_count, locked, pinned, bumplocked, cyclical, archived_at,
      changed_at)
    select id, ${boardId}, title, last_activity, comment_count, reply_count, image_count, byte_count, node_count,
      locked, pinned, bumplocked, cyclical, archived_at, changed_at
    from ${recordset(threads, THREAD_COLUMNS)}`)
}

export async function updateThreads(tx: Transaction, now: Date, threads: ThreadRow[]): Promise<void> {
  if (threads.length === 0) return
  await tx.execute(sql`update ${thread} set last_activity = greatest(${thread.lastActivity}, given.last_activity),
      changed_at = ${changedNow(now)},
      comment_count = ${thread.commentCount} + given.comment_count, reply_count = ${thread.replyCount} + given.reply_count,
      image_count = ${thread.imageCount} + given.image_count,
      byte_count = ${thread.byteCount} + given.byte_count, node_count = ${thread.nodeCount} + given.node_count
    from ${recordset(threads, THREAD_COLUMNS)} where ${thread.id} = given.id`)
}

export async function insertPosts(tx: Transaction, posts: PostRow[]): Promise<void> {
  await tx.execute(sql`insert into ${post} (id, thread_id, parent_id, author, content, links, image_id, image, more_images,
      spoiler, sage, tripcode, capcode, note, poster_label, created_at)
    select id, thread_id, parent_id, author, content, links, image_id, image, more_images, spoiler, sage, tripcode,
      capcode, note, poster_label, created_at
    from ${recordset(posts, 'id bigint, thread_id bigint, parent_id bigint, author text, content text, links jsonb, image_id text, image jsonb, more_images jsonb, spoiler boolean, sage boolean, tripcode text, capcode text, note text, poster_label text, created_at timestamptz')}
    order by id`)
}

export async function recordThreads(tx: Transaction, source: string, pending: Pending[]): Promise<void> {
  const rows = pending.map(({ thread: { number, posts } }) => ({
    number,
    newest: posts.at(-1)?.number ?? number,
    opened_ms: posts.find((one) => one.number === number)?.time.getTime() ?? null,
  }))
  await tx.execute(sql`insert into ${importedThread} (source, number, newest, opened_ms)
    select ${source}, number, newest, opened_ms
    from ${recordset(rows, 'number bigint, newest bigint, opened_ms bigint')}
    on conflict (source, number) do update set newest = greatest(${importedThread.newest}, excluded.newest)`)
}
