import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { board, post, thread } from '#db/schema/index.ts'
import { publishCtes } from '#server/core/events/writeAndPublish.ts'
import type { commentForm } from '#src/contract/boardForms.ts'
import type { KeptImage } from './images.ts'
import { costOf, type ThreadLimits } from './threadLimits.ts'

/** What is written, and by whom. */
export type NewPost = {
  form: z.output<typeof commentForm>
  kept: KeptImage | null
  now: Date
  by: string
  /** gives a row, or nothing is put anywhere */
  spending: SQL
}
/** Where a comment goes, or with a parent a reply. */
export type Place = { boardId: string; threadId: number; parentId: number | null }

/**
 * What these statements answer: whether the challenge was spent, and the number of the post, or why there is none:
 * there is no such place (null), or it is full.
 */
export type Placed = { spent: boolean; id: string | null; refusal: 'full' | null }

const isSpent = sql`exists (select from spent)`

/**
 * A comment or a reply, with all that goes with it, as one statement; it does nothing where there is no such place, or
 * no room. The row's lock puts the posts of a thread one after the other: numbers, counts and changes agree in order.
 */
export function placeOnThread({ boardId, threadId, parentId }: Place, limits: ThreadLimits, one: NewPost): SQL {
  const count = sql.identifier(parentId === null ? thread.commentCount.name : thread.replyCount.name)
  const { bytes, nodes } = costOf(one.form)
  const hasParent = sql`exists (select 1 from ${post} where ${post.id} = ${parentId} and ${post.threadId} = ${thread.id}
    and ${post.parentId} is null and ${post.id} <> ${thread.id})`
  // Locked and judged before it is changed, so that the refusal is about the row as it is, not as it was.
  const judged = sql`select ${thread.id}, case
      when ${thread.commentCount} + ${thread.replyCount} >= ${limits.threadPosts}
        or ${thread.byteCount} + ${bytes}::bigint > ${limits.threadBytes}::bigint
        or ${thread.nodeCount} + ${nodes}::bigint > ${limits.threadNodes}::bigint then 'full' end as refusal
    from ${thread} join ${board} on ${board.id} = ${thread.boardId}
    where ${thread.id} = ${threadId} and ${thread.deletedAt} is null
      and ${board.id} = ${boardId} and ${board.deletedAt} is null
      and ${parentId === null ? sql`true` : hasParent} and ${isSpent}
    for no key update of ${thread}`
  const placed = sql`update ${thread} set last_activity = ${one.now.toISOString()}, ${count} = ${thread}.${count} + 1,
      byte_count = ${thread.byteCount} + ${bytes}::bigint, node_count = ${thread.nodeCount} + ${nodes}::bigint
    from judged where ${thread.id} = judged.id and judged.refusal is null
    returning nextval('post_number') as id, ${thread.id} as thread_id, ${thread.boardId}`
  const changes = sql`
    select 'thread:' || thread_id, jsonb_build_object('kind', 'post', 'postId', id) from placed
    union all
    select 'board:' || board_id, jsonb_build_object('kind', 'thread', 'threadId', thread_id) from placed`
  return place(judged, placed, parentId, one, changes)
}

const NEVER_REFUSED = sql`select null::text as refusal limit 0`

/** A thread with its opening post as one statement; it does nothing where there is no such board. */
export function placeOnBoard(boardId: string, title: string, one: NewPost): SQL {
  // Shared lock: the board cannot be deleted while something is being put on it.
  const { bytes, nodes } = costOf(one.form)
  const placed = sql`insert into ${thread} (id, board_id, title, last_activity, byte_count, node_count)
    select nextval('post_number'), on_board.id, ${title}, ${one.now.toISOString()}::timestamptz,
      ${bytes}::bigint, ${nodes}::bigint
    from (select id from ${board} where ${board.id} = ${boardId} and ${board.deletedAt} is null for share) as on_board
    where ${isSpent}
    returning id, id as thread_id, board_id`
  const changes = sql`select 'board:' || board_id, jsonb_build_object('kind', 'thread', 'threadId', thread_id) from placed`
  return place(NEVER_REFUSED, placed, null, one, changes)
}

function place(judged: SQL, placed: SQL, parentId: number | null, one: NewPost, changes: SQL): SQL {
  const { form, kept, now, by, spending } = one
  const image = kept && JSON.stringify(kept.image)
  return sql`with spent as (${spending}),
    judged as (${judged}),
    placed as (${placed}),
    posted as (
      insert into ${post} (id, thread_id, parent_id, author, content, links, image_id, image, created_at)
      select id, thread_id, ${parentId}::bigint, ${form.author}, ${form.content}, ${JSON.stringify(form.links)}::jsonb,
        ${kept?.imageId ?? null}, ${image}::jsonb, ${now.toISOString()}::timestamptz
      from placed),
    ${publishCtes(changes, now, by)}
    select ${isSpent} as spent, placed.id, judged.refusal, published.changes from (select) as always
      left join judged on true left join placed on true left join published on true`
}
