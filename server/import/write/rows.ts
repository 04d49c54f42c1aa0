import type { FurtherImage } from '#db/schema/index.ts'
import { toImageColumns } from '#server/features/board/write/images.ts'
import { sumCosts } from '#server/features/board/write/threadLimits.ts'
import type { PostImages } from '#server/import/images/postImages.ts'
import type { PostText, ToId } from '#server/import/text/postText.ts'
import type { ImportedPost, ImportedThread } from '#server/import/types.ts'
import type { Capcode } from '#src/contract/post.ts'
import type { Pending } from './importedState.ts'

export type PostRow = {
  id: number
  thread_id: number
  parent_id: number | null
  author: string
  content: string
  links: string[]
  image_id: string | null
  image: FurtherImage | null
  more_images: FurtherImage[] | null
  spoiler: boolean
  file_deleted: boolean
  sage: boolean
  tripcode: string | null
  capcode: Capcode | null
  note: string | null
  poster_label: string | null
  created_at: Date
}
/** The types of the columns. */
export const POST_COLUMNS = {
  ...{ id: 'bigint', thread_id: 'bigint', parent_id: 'bigint', author: 'text', content: 'text', links: 'jsonb' },
  ...{ image_id: 'text', image: 'jsonb', more_images: 'jsonb', spoiler: 'boolean', sage: 'boolean', tripcode: 'text' },
  ...{ file_deleted: 'boolean', capcode: 'text', note: 'text', poster_label: 'text', created_at: 'timestamptz' },
} satisfies Record<keyof PostRow, string>

export type ThreadRow = {
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
  bumplocked: boolean
  cyclical: boolean
  archived_at: Date | null
  changed_at: Date
}

export const THREAD_COLUMNS = {
  ...{ id: 'bigint', title: 'text', last_activity: 'timestamptz', comment_count: 'int', reply_count: 'int' },
  ...{ image_count: 'int', byte_count: 'bigint', node_count: 'bigint', locked: 'boolean', pinned: 'boolean' },
  ...{ bumplocked: 'boolean', cyclical: 'boolean', archived_at: 'timestamptz', changed_at: 'timestamptz' },
} satisfies Record<keyof ThreadRow, string>

/** Converted texts and stored images of posts, by their old numbers. */
export type BatchContent = { texts: ReadonlyMap<number, PostText>; images: ReadonlyMap<number, PostImages> }

export type Quote = { from_id: number; to_id: number }
export type Rows = { posts: PostRow[]; quotes: Quote[]; newThreads: ThreadRow[]; grownThreads: ThreadRow[] }

/** @param place.comments the threads of comments that were imported before, by their ids */
export function createRows(
  pending: Pending[],
  content: BatchContent,
  { toId, now, comments }: { toId: ToId; now: Date; comments: ReadonlyMap<number, number> },
): Rows {
  const rows: Rows = { posts: [], quotes: [], newThreads: [], grownThreads: [] }
  const isParentOf = createParentCheck(pending, toId, comments)
  for (const { thread: source, isNew, posts } of pending) {
    const threadId = toId(source.number) as number
    const texts = posts.map(({ number }) => content.texts.get(number) as PostText)
    const own = posts.map((one, index) =>
      createPostRow(one, texts[index] as PostText, {
        threadId,
        toId,
        now,
        isParentOf,
        isBump: createBumpCheck(source),
        images: content.images.get(one.number)?.images ?? [],
      }),
    )
    rows.posts.push(...own)
    for (const [index, { id }] of own.entries()) {
      for (const quoted of texts[index]?.quotes ?? []) rows.quotes.push({ from_id: id, to_id: quoted })
    }
    const row = createThreadRow(source, texts, own, { id: threadId, now })
    ;(isNew ? rows.newThreads : rows.grownThreads).push(row)
  }
  return rows
}

type ParentCheck = (parentId: number, threadId: number) => boolean

/** Only comments have replies. A parent is in the same part, or was imported before. */
function createParentCheck(pending: Pending[], toId: ToId, earlier: ReadonlyMap<number, number>): ParentCheck {
  const comments = new Map<number, number>()
  for (const { thread: source, posts } of pending) {
    const threadId = toId(source.number) as number
    for (const { number, parent } of posts) {
      const id = toId(number) as number
      if (parent === null && id !== threadId) comments.set(id, threadId)
    }
  }
  return (parentId, threadId) => (comments.get(parentId) ?? earlier.get(parentId)) === threadId
}

function createPostRow(
  source: ImportedPost,
  { author, tripcode, content, links }: PostText,
  place: {
    threadId: number
    toId: ToId
    now: Date
    isParentOf: ParentCheck
    isBump: (post: ImportedPost) => boolean
    images: FurtherImage[]
  },
): PostRow {
  const { threadId, toId, now, isParentOf, isBump, images } = place
  const { imageId, image, moreImages } = toImageColumns(images)
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
    image_id: imageId,
    image,
    more_images: moreImages,
    spoiler: source.spoiler && image !== null,
    file_deleted: image === null && source.fileDeleted === true,
    sage: id !== threadId && !isBump(source),
    tripcode,
    capcode: source.capcode ?? null,
    note: source.note?.replaceAll('\0', '').toWellFormed() ?? null,
    poster_label: source.posterLabel ?? null,
    created_at: notAfter(now, source.time),
  }
}

/** Old boards take this in the field of the author's email: the post does not bump its thread. */
const isSage = (email: string) => email.trim().toLowerCase() === 'sage'

/**
 * A post after the last bump did not bump, because the thread was beyond its limit. Posts of this site's exports say it
 * themselves.
 */
const createBumpCheck =
  ({ bumpedAt, bumplocked }: ImportedThread) =>
  ({ email, body, time }: ImportedPost): boolean =>
    !isSage(email) && (bumplocked || 'text' in body || !bumpedAt || time <= bumpedAt)

/** A time in the future would keep a thread on top of its board. */
const notAfter = (now: Date, time: Date) => (time > now ? now : time)

function createThreadRow(
  source: ImportedThread,
  texts: PostText[],
  posts: PostRow[],
  { id, now }: { id: number; now: Date },
): ThreadRow {
  const { bytes, nodes } = sumCosts(texts.map(({ cost }) => cost))
  const replies = posts.filter(({ parent_id }) => parent_id !== null).length
  const { bumpedAt } = source
  const newest = Math.max(0, ...posts.map((one) => one.created_at.getTime()))
  const bumps = bumpedAt ? [notAfter(now, bumpedAt)] : posts.flatMap((one) => (one.sage ? [] : one.created_at))
  // The part of a known thread may have no bump.
  const lastActivity = Math.max(0, ...bumps.map(Number))
  return {
    id,
    title: texts[0]?.title ?? '',
    last_activity: new Date(lastActivity),
    changed_at: new Date(Math.max(lastActivity, newest)),
    comment_count: posts.filter((one) => one.id !== id).length - replies,
    reply_count: replies,
    image_count: countImages(posts),
    byte_count: bytes,
    node_count: nodes,
    locked: source.locked,
    pinned: isPinned(source),
    bumplocked: source.bumplocked ?? false,
    cyclical: source.cyclical ?? false,
    archived_at: source.archivedAt ? notAfter(now, source.archivedAt) : null,
  }
}

/** Archived threads are never pinned. */
export const isPinned = ({ pinned, archivedAt }: ImportedThread) => pinned && !archivedAt

export const countImages = (posts: PostRow[]): number =>
  posts.reduce((sum, { image, more_images }) => sum + (image ? 1 : 0) + (more_images?.length ?? 0), 0)
