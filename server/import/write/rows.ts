import { BLANK_POST, type FurtherImage, type post, type thread, type WrittenPost } from '#db/schema/index.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { toImageColumns } from '#server/features/board/write/images.ts'
import { sumCosts } from '#server/features/board/write/threadLimits.ts'
import type { PostImages } from '#server/import/images/postImages.ts'
import type { PostText, ToId } from '#server/import/text/postText.ts'
import type { ImportedPost, ImportedThread } from '#server/import/types.ts'
import type { Pending } from './importedState.ts'

/** The columns that an import fills, and the words for the search. */
export type PostRow = WrittenPost &
  Pick<PostText, 'words'> &
  Pick<typeof post.$inferSelect, 'id' | 'threadId' | 'parentId' | 'createdAt' | 'fileDeleted'>
export type ThreadRow = Omit<typeof thread.$inferSelect, 'boardId' | 'deletedAt'>

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
  { title: _title, isCut: _isCut, cost: _cost, quotes: _quotes, ...text }: PostText,
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
  const id = toId(source.number) as number
  const parentId = source.parent === null ? null : toId(source.parent)
  const isReply = parentId !== null && parentId < id && isParentOf(parentId, threadId)
  return {
    ...{ ...BLANK_POST, ...source.own, ...text, ...toImageColumns(images) },
    ...{ id, threadId, parentId: isReply ? parentId : null, createdAt: notAfter(now, source.time) },
    spoiler: source.spoiler && images.length > 0,
    fileDeleted: images.length === 0 && source.fileDeleted === true,
    sage: id !== threadId && !isBump(source),
    capcode: source.capcode ?? null,
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
  const replies = posts.filter(({ parentId }) => parentId !== null).length
  const { bumpedAt } = source
  const newest = Math.max(0, ...posts.map((one) => one.createdAt.getTime()))
  const bumps = bumpedAt ? [notAfter(now, bumpedAt)] : posts.flatMap((one) => (one.sage ? [] : one.createdAt))
  // The part of a known thread may have no bump.
  const lastActivity = Math.max(0, ...bumps.map(Number))
  return {
    id,
    title: texts[0]?.title ?? '',
    lastActivity: new Date(lastActivity),
    changedAt: new Date(Math.max(lastActivity, newest)),
    commentCount: posts.filter((one) => one.id !== id).length - replies,
    replyCount: replies,
    imageCount: countImages(posts),
    byteCount: bytes,
    nodeCount: nodes,
    locked: source.locked,
    pinned: isPinned(source),
    bumplocked: source.bumplocked ?? false,
    cyclical: source.cyclical ?? false,
    archivedAt: source.archivedAt ? notAfter(now, source.archivedAt) : null,
  }
}

/** Archived threads are never pinned. */
export const isPinned = ({ pinned, archivedAt }: ImportedThread) => pinned && !archivedAt

export const countImages = (posts: PostRow[]): number => posts.reduce((sum, row) => sum + imagesOf(row).length, 0)
