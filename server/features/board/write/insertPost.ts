import { type SQL, sql } from 'drizzle-orm'
import { listValues } from '#db/schema/columns.ts'
import {
  BLANK_POST,
  board,
  type FurtherImage,
  moderator,
  post,
  quote,
  thread,
  type WrittenPost,
} from '#db/schema/index.ts'
import { type Attempt, finishAttempt } from '#server/core/auth/attempts.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import { publishCtes } from '#server/core/events/writeAndPublish.ts'
import { idList, listQuoted } from '#server/features/board/quotes.ts'
import { changedNow, isShownPost } from '#server/features/board/read/queries.ts'
import { insertWatchAlerts } from '#server/features/board/watching/watchAlerts.ts'
import { insertHeldAlert } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import { insertOrigin, labelInThread, type VisitorOrigin } from '#server/features/moderation/origins/origins.ts'
import type { RaidDetector } from '#server/features/moderation/raids/raidDetector.ts'
import type { Byline, PostForm, PostRef } from '#src/contract/post.ts'
import { toImageColumns } from './images.ts'
import { calculateCost, type ThreadLimits } from './threadLimits.ts'

/** Why and how long a post waits for a review. `releaseAt` is null if it waits for a moderator. */
export type Hold = { heldFor: string; releaseAt: Date | null }

export type NewPost = {
  /** `author` without the secret. The columns of `WrittenPost` are stored. */
  form: Pick<PostForm, 'author' | 'content' | 'links' | 'title'> & Partial<Pick<WrittenPost, 'sage' | keyof Byline>>
  images: FurtherImage[]
  now: Date
  /** undefined if no visitor waits for the change */
  authorHash: string | undefined
  origin: VisitorOrigin | null
  /** null for a visitor who is not logged in */
  user: Pick<SessionUser, 'id' | 'role'> | null
  /** set for a post that waits for a review */
  hold: Hold | null
  /** statement that spends the captcha; the post is inserted only if this statement returns a row */
  captchaStatement: SQL
  /** null for a post that no visitor sent */
  attempt: Attempt | null
  /** counts the post; null for a post that does not count */
  raid: RaidDetector | null
}
/** Location of a comment, or of a reply if `parentId` is set. */
type InsertLocation = { boardId: string; threadId: number; parentId: number | null }

/** The statement's row. `id` is null if the location does not exist or the thread refuses the post. */
export type InsertResult = {
  spent: boolean
  id: string | null
  posterLabel: string | null
  /** the posts that the post quotes */
  quotes: PostRef[] | null
  refusal: 'archived' | 'locked' | 'full' | null
  /** the thread, if it is cyclical and beyond the limits now */
  overfull: string | null
  /** result of `raid.countWith` */
  raidLevel: number | null
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
  // A deletion of the comment locks the thread first, so this lock sees it. Stubs still take replies.
  const parent = sql`join ${post} parent on parent.id = ${parentId} and parent.thread_id = ${thread.id}
    and parent.parent_id is null and parent.id <> ${thread.id} and (parent.state = 'live' or parent.stub)`
  // Checks the limits of `isFull` and the thread's state again, while the row is locked in the database.
  const checked = sql`select ${thread.id}, case
      when ${thread.archivedAt} is not null then 'archived'
      when ${thread.locked} and not ${isModerator(newPost.user)} then 'locked'
      when ${thread.cyclical} then null
      when ${thread.commentCount} + ${thread.replyCount} >= ${limits.threadPosts}
        or ${thread.byteCount} + ${bytes}::bigint > ${limits.threadBytes}::bigint
        or ${thread.nodeCount} + ${nodes}::bigint > ${limits.threadNodes}::bigint then 'full' end as refusal
    from ${thread} join ${board} on ${board.id} = ${thread.boardId} ${parentId === null ? sql`` : parent}
    where ${thread.id} = ${threadId} and ${thread.deletedAt} is null
      and ${board.id} = ${boardId} and ${board.deletedAt} is null and ${isSpent}
    for no key update of ${thread} ${parentId === null ? sql`` : sql`for share of parent`}`
  const heldTarget = sql`select nextval('post_number') as id, checked.id as thread_id, ${boardId}::text as board_id, null as overfull
    from checked where checked.refusal is null`
  const bump = newPost.form.sage
    ? sql``
    : sql`last_activity = case when ${thread.bumplocked} then ${thread.lastActivity} else ${newPost.now.toISOString()}::timestamptz end, `
  const target = sql`update ${thread} set ${bump}${count} = ${thread}.${count} + 1,
      changed_at = ${changedNow(newPost.now)},
      image_count = ${thread.imageCount} + ${newPost.images.length}::int, byte_count = ${thread.byteCount} + ${bytes}::bigint, node_count = ${thread.nodeCount} + ${nodes}::bigint
    from checked where ${thread.id} = checked.id and checked.refusal is null
    returning nextval('post_number') as id, ${thread.id} as thread_id, ${thread.boardId},
      case when ${thread.cyclical} and (${thread.commentCount} + ${thread.replyCount} > ${limits.threadPosts}
        or ${thread.byteCount} > ${limits.threadBytes}::bigint or ${thread.nodeCount} > ${limits.threadNodes}::bigint) then ${thread.id} end as overfull`
  const events = sql`
    select 'thread:' || thread_id, jsonb_build_object('kind', 'post', 'postId', id) from target
    union all
    select 'board:' || board_id, jsonb_build_object('kind', 'thread', 'threadId', thread_id) from target`
  return insertPost(checked, newPost.hold ? heldTarget : target, parentId, newPost, events)
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
  const now = sql`${newPost.now.toISOString()}::timestamptz`
  // A held thread counts nothing, and nobody sees it.
  const counts = newPost.hold
    ? sql`0, 0, 0, ${now}`
    : sql`${newPost.images.length}::int, ${bytes}::bigint, ${nodes}::bigint, null::timestamptz`
  const target = sql`insert into ${thread}
      (id, board_id, title, last_activity, changed_at, image_count, byte_count, node_count, deleted_at)
    select id, board_id, ${title}, ${now}, ${now}, ${counts} from (${numbered}) as numbered
    returning id, id as thread_id, board_id, null as overfull`
  const events = sql`select 'board:' || board_id, jsonb_build_object('kind', 'thread', 'threadId', thread_id) from target`
  return insertPost(NO_CHECK, target, null, newPost, events)
}

/** A held post changes no page, only the moderators' queue. */
const HELD_EVENTS = sql`select 'moderation', '{"kind":"queue"}'::jsonb from target`

/** Returns the columns that are fields of the form, and the images. */
export function toWritten({ form, images }: Pick<NewPost, 'form' | 'images'>): WrittenPost {
  const fields: Record<string, unknown> = form
  const given = Object.entries(BLANK_POST).map(([name, blank]) => [name, fields[name] ?? blank])
  return { ...(Object.fromEntries(given) as WrittenPost), ...toImageColumns(images) }
}

function insertPost(checked: SQL, target: SQL, parentId: number | null, newPost: NewPost, events: SQL): SQL {
  const { form, now, authorHash, origin, hold, captchaStatement, attempt } = newPost
  const count = newPost.raid?.countWith(sql`exists (select from target)`)
  const { names, values } = listValues(post, {
    ...{ ...toWritten(newPost), posterLabel: labelOf(origin), parentId, createdAt: now },
    ...(hold && { state: 'held', stateAt: now, heldFor: hold.heldFor, releaseAt: hold.releaseAt }),
  })
  const stored = sql`insert into ${post} (id, thread_id, ${names}) select id, thread_id, ${values}
    from target returning poster_label`
  // A held post gets its quotes when it is published.
  const quoted = hold ? [] : listQuoted(null, form.content)
  return sql`with spent as (${captchaStatement}),
    checked as (${checked}),
    target as (${target}),
    stored_post as (${stored}),
    ${quoted.length > 0 ? quoteCtes(quoted) : sql``}
    ${hold && hold.releaseAt === null ? sql`alerted as (${insertHeldAlert(now, sql`target`)}),` : sql``}
    ${count ? sql`${count.statements},` : sql``}
    ${hold ? sql`` : sql`watched as (${insertWatchAlerts(now, sql`target`)}),`}
    attempted as (${finishAttempt(attempt, sql`select id from target`)}),
    originated as (${insertOrigin(origin, 'post', sql`select id::text from target`)}),
    ${publishCtes(hold ? HELD_EVENTS : quoted.length > 0 ? sql`${events} ${QUOTE_EVENTS}` : events, now, authorHash)}
    select ${isSpent} as spent, target.id, stored_post.poster_label as "posterLabel", target.overfull, checked.refusal,
        published.changes,
        ${count?.raised ?? sql`null`} as "raidLevel",
        ${quoted.length > 0 ? sql`(select json_agg(quoted order by quoted.id) from quoted)` : sql`null`} as quotes
      from (select) as always left join checked on true left join target on true left join stored_post on true
      left join published on true`
}

/** Stores the quotes of a post. A quoted post that is held or removed now can be published later, and is linked then. */
const quoteCtes = (ids: number[]): SQL => sql`
    quotable as (select ${post.id}, ${post.threadId} as "threadId", ${thread.boardId} as "boardId",
        ${isShownPost} as is_shown
      from ${post} join ${thread} on ${thread.id} = ${post.threadId}
      where ${post.id} = any(${idList(ids)}) and exists (select from target where target.id <> ${post.id})),
    quoted as (select id, "threadId", "boardId" from quotable where is_shown),
    stored_quotes as (insert into ${quote} (from_id, to_id) select target.id, quotable.id from target, quotable),`

/** Quoted posts show their backlinks. One event per board is enough to refresh its pages and feeds. */
const QUOTE_EVENTS = sql`
    union all
    select 'thread:' || "threadId", jsonb_build_object('kind', 'post', 'postId', id) from quoted
    union all
    select distinct on (quoted."boardId") 'board:' || quoted."boardId", jsonb_build_object('kind', 'thread', 'threadId', "threadId")
    from quoted, target where quoted."boardId" <> target.board_id`

/** Returns the poster's label in the thread, on a board that shows labels. */
const labelOf = (origin: VisitorOrigin | null): SQL =>
  origin
    ? sql`(select ${labelInThread(origin.labelKey, sql`target.thread_id`)} from ${board}
        where ${board.id} = target.board_id and ${board.posterLabels})`
    : sql`null`
