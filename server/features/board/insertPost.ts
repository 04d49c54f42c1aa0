import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { board, type FurtherImage, moderator, post, thread, withheldPost } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import { publishCtes } from '#server/core/events/writeAndPublish.ts'
import { insertHeldAlert } from '#server/core/moderation/alerts.ts'
import { insertOrigin, type VisitorOrigin } from '#server/core/moderation/origins.ts'
import { labelInThread } from '#server/core/moderation/threadLabels.ts'
import type { commentForm } from '#src/contract/boardForms.ts'
import { toImageColumns } from './images.ts'
import { calculateCost, type ThreadLimits } from './threadLimits.ts'
import { insertWatchAlerts } from './watching/queue.ts'

/** Why and how long a post waits for a review. `releaseAt` is null if it waits for a moderator. */
export type Hold = { heldFor: string; releaseAt: Date | null }

export type NewPost = {
  /** `author` without the secret */
  form: Pick<z.output<typeof commentForm>, 'author' | 'content' | 'links' | 'sage'>
  tripcode: string | null
  images: FurtherImage[]
  now: Date
  /** undefined if no visitor waits for the change */
  authorHash: string | undefined
  origin: VisitorOrigin | null
  /** null for a visitor who is not logged in */
  user: Pick<SessionUser, 'id' | 'role'> | null
  /** set for a post that waits for a review: it is stored with a number, but not in its thread */
  hold: Hold | null
  /** statement that spends the captcha; the post is inserted only if this statement returns a row */
  captchaStatement: SQL
}
/** Location of a comment, or of a reply if `parentId` is set. */
export type InsertLocation = { boardId: string; threadId: number; parentId: number | null }

/** The statement's row. `id` is null if the location does not exist or the thread refuses the post. */
export type InsertResult = {
  spent: boolean
  id: string | null
  posterLabel: string | null
  refusal: 'archived' | 'locked' | 'full' | null
}

/** Replaces the captcha statement if there is no captcha, or if it was already spent. */
export const ALREADY_SPENT = sql`select 1`

const isSpent = sql`exists (select from spent)`

/**
 * Creates one statement that spends the captcha, inserts a comment or reply, updates the thread's counts and publishes
 * the events. The lock on the thread's row keeps the ids, counts and events of concurrent posts in order.
 */
export function insertIntoThread(
  { boardId, threadId, parentId }: InsertLocation,
  limits: ThreadLimits,
  newPost: NewPost,
): SQL {
  const count = sql.identifier(parentId === null ? thread.commentCount.name : thread.replyCount.name)
  const { bytes, nodes } = calculateCost(newPost.form)
  const hasParent = sql`exists (select 1 from ${post} where ${post.id} = ${parentId} and ${post.threadId} = ${thread.id}
    and ${post.parentId} is null and ${post.id} <> ${thread.id})`
  // Checks the limits of `isFull` and the thread's state again, while the row is locked in the database.
  const checked = sql`select ${thread.id}, case
      when ${thread.archivedAt} is not null then 'archived'
      when ${thread.locked} and not ${isModerator(newPost.user)} then 'locked'
      when ${thread.commentCount} + ${thread.replyCount} >= ${limits.threadPosts}
        or ${thread.byteCount} + ${bytes}::bigint > ${limits.threadBytes}::bigint
        or ${thread.nodeCount} + ${nodes}::bigint > ${limits.threadNodes}::bigint then 'full' end as refusal
    from ${thread} join ${board} on ${board.id} = ${thread.boardId}
    where ${thread.id} = ${threadId} and ${thread.deletedAt} is null
      and ${board.id} = ${boardId} and ${board.deletedAt} is null
      and ${parentId === null ? sql`true` : hasParent} and ${isSpent}
    for no key update of ${thread}`
  const heldTarget = sql`select nextval('post_number') as id, checked.id as thread_id, ${boardId}::text as board_id
    from checked where checked.refusal is null`
  const bump = newPost.form.sage ? sql`` : sql`last_activity = ${newPost.now.toISOString()}, `
  const target = sql`update ${thread} set ${bump}${count} = ${thread}.${count} + 1,
      image_count = ${thread.imageCount} + ${newPost.images.length}::int, byte_count = ${thread.byteCount} + ${bytes}::bigint, node_count = ${thread.nodeCount} + ${nodes}::bigint
    from checked where ${thread.id} = checked.id and checked.refusal is null
    returning nextval('post_number') as id, ${thread.id} as thread_id, ${thread.boardId}`
  const events = sql`
    select 'thread:' || thread_id, jsonb_build_object('kind', 'post', 'postId', id) from target
    union all
    select 'board:' || board_id, jsonb_build_object('kind', 'thread', 'threadId', thread_id) from target`
  return insertPost(checked, newPost.hold ? heldTarget : target, { parentId, title: null }, newPost, events)
}

/** Returns a condition for whether the user moderates the board in the statement. */
const isModerator = (user: NewPost['user']): SQL =>
  user?.role === 'admin'
    ? sql`true`
    : sql`exists (select from ${moderator} where ${moderator.boardId} = ${board.id} and ${moderator.userId} = ${user?.id ?? null})`

const NO_CHECK = sql`select null::text as refusal limit 0`

export function insertIntoBoard(boardId: string, title: string, newPost: NewPost): SQL {
  const { bytes, nodes } = calculateCost(newPost.form)
  // The shared lock (`for share`) prevents another transaction from deleting the board meanwhile.
  const numbered = sql`select nextval('post_number') as id, on_board.id as board_id
    from (select id from ${board} where ${board.id} = ${boardId} and ${board.deletedAt} is null for share) as on_board
    where ${isSpent}`
  const heldTarget = sql`select id, id as thread_id, board_id from (${numbered}) as numbered`
  const target = sql`insert into ${thread} (id, board_id, title, last_activity, image_count, byte_count, node_count)
    select id, board_id, ${title}, ${newPost.now.toISOString()}::timestamptz, ${newPost.images.length}::int,
      ${bytes}::bigint, ${nodes}::bigint
    from (${numbered}) as numbered
    returning id, id as thread_id, board_id`
  const events = sql`select 'board:' || board_id, jsonb_build_object('kind', 'thread', 'threadId', thread_id) from target`
  return insertPost(NO_CHECK, newPost.hold ? heldTarget : target, { parentId: null, title }, newPost, events)
}

/** A held post changes no page. */
const NO_EVENTS = sql`select null::text, null::jsonb where false`

type PostHead = { parentId: number | null; title: string | null }

function insertPost(checked: SQL, target: SQL, { parentId, title }: PostHead, newPost: NewPost, events: SQL): SQL {
  const { form, tripcode, images, now, authorHash, origin, hold, captchaStatement } = newPost
  const { imageId, image, moreImages } = toImageColumns(images)
  const names = sql.raw(
    'id, thread_id, parent_id, author, content, links, image_id, image, more_images, created_at, sage, tripcode, poster_label',
  )
  const values = sql`id, thread_id, ${parentId}::bigint, ${form.author}, ${form.content},
    ${JSON.stringify(form.links)}::jsonb, ${imageId}, ${image && JSON.stringify(image)}::jsonb,
    ${moreImages && JSON.stringify(moreImages)}::jsonb,
    ${now.toISOString()}::timestamptz, ${form.sage}::boolean, ${tripcode}, ${labelOf(origin)}`
  const stored = hold
    ? sql`insert into ${withheldPost} (${names}, board_id, title, withheld_at, held_for, release_at)
        select ${values}, board_id, ${title}, ${now.toISOString()}::timestamptz, ${hold.heldFor},
          ${hold.releaseAt?.toISOString() ?? null}::timestamptz
        from target returning poster_label`
    : sql`insert into ${post} (${names}) select ${values} from target returning poster_label`
  return sql`with spent as (${captchaStatement}),
    checked as (${checked}),
    target as (${target}),
    stored_post as (${stored}),
    ${hold && hold.releaseAt === null ? sql`alerted as (${insertHeldAlert(now, sql`target`)}),` : sql``}
    ${hold ? sql`` : sql`watched as (${insertWatchAlerts(now, sql`target`)}),`}
    originated as (${insertOrigin(origin, 'post', sql`select id::text from target`)}),
    ${publishCtes(hold ? NO_EVENTS : events, now, authorHash)}
    select ${isSpent} as spent, target.id, stored_post.poster_label as "posterLabel", checked.refusal, published.changes
      from (select) as always left join checked on true left join target on true left join stored_post on true
      left join published on true`
}

/** Returns the poster's label in the thread, on a board that shows labels. */
const labelOf = (origin: VisitorOrigin | null): SQL =>
  origin
    ? sql`(select ${labelInThread(origin.labelKey, sql`target.thread_id`)} from ${board}
        where ${board.id} = target.board_id and ${board.posterLabels})`
    : sql`null`
