import type { z } from 'zod'
import { pick } from '#db/schema/columns.ts'
import type { livePost, StoredImage, thread } from '#db/schema/index.ts'
import { fileUrl, fileView, imagesOf } from '#server/core/storage/imageFiles.ts'
import type { Quotes } from '#server/features/board/quotes.ts'
import { boardLimits } from '#src/contract/board.ts'
import type { ImageFile, ImageView } from '#src/contract/image.ts'
import { type Byline, bylineFields, type CommentView, type PostView, postSchema } from '#src/contract/post.ts'
import {
  type CatalogThread,
  catalogThreadSchema,
  type LatestThread,
  type ListedComment,
  type ListedThread,
  listedThreadSchema,
  type ThreadCounts,
  type ThreadView,
  threadCounts,
} from '#src/contract/thread.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import type { postColumns } from './queries.ts'

export type PostRow = Pick<typeof livePost.$inferSelect, Exclude<keyof typeof postColumns, 'threadId'>> &
  Pick<PostView, 'highlights' | 'cards' | 'boardLinks'> & { stub?: boolean }
export type ThreadRow = Pick<
  typeof thread.$inferSelect,
  'id' | 'boardId' | 'title' | 'archivedAt' | Exclude<keyof ThreadCounts, 'archived'>
>

export const countsOf = ({ archivedAt, ...row }: Omit<ThreadRow, 'id' | 'boardId' | 'title'>): ThreadCounts =>
  pick({ ...row, archived: archivedAt !== null }, threadCounts)

function imageView(image: StoredImage): ImageView {
  const { bytes, animated, preview, display } = image
  return { ...fileView(image), bytes, animated, preview: fileView(preview), display: fileView(display) }
}

/**
 * Creates a function that picks the columns that a schema of the contract names. An optional field is missing if its
 * column is null. `Computed` has the fields that are no columns.
 */
function createPicker<View, Computed extends keyof View>(shape: Record<string, z.ZodType>) {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name: name as keyof View,
    isOptional: schema.safeParse(undefined).success,
  }))
  return (row: Partial<Record<keyof View, unknown>>) => {
    const given = fields.filter(
      ({ name, isOptional }) => row[name] !== undefined && !(isOptional && row[name] === null),
    )
    return Object.fromEntries(given.map(({ name }) => [name, row[name]])) as Omit<View, Computed>
  }
}

type Listed = 'preview' | 'picture' | 'furtherPictures' | 'deleted'
const pickPost = createPicker<PostView, 'image' | 'picture' | 'pictures' | 'quotes' | 'quotedBy' | 'deleted'>(
  postSchema.shape,
)
export const pickByline = createPicker<Byline, never>(bylineFields)
const pickListed = createPicker<ListedThread, Listed | 'newest' | 'earlier'>(listedThreadSchema.shape)
const pickCatalog = createPicker<CatalogThread, Listed>(catalogThreadSchema.shape)

export function postView(row: PostRow, quotes: Quotes): PostView {
  return {
    ...pickPost(row),
    image: row.image && fileUrl(row.image.name),
    picture: row.image && imageView(row.image),
    // Most posts have at most one image, and this is sent with every post.
    ...(row.moreImages && { pictures: imagesOf(row).map(imageView) }),
    quotes: quotes.quotes.get(row.id) ?? [],
    quotedBy: quotes.quotedBy.get(row.id) ?? [],
    ...deletedMark(row),
  }
}

const deletedMark = ({ stub }: Pick<PostRow, 'stub'>) => stub && { deleted: true as const }

export type ViewOf = { (row: PostRow): PostView; (row: PostRow, replies: PostView[]): CommentView }

export const createViewOf = (quotes: Quotes): ViewOf =>
  ((row: PostRow, replies?: PostView[]) => ({ ...postView(row, quotes), ...(replies && { replies }) })) as ViewOf

/** Nests replies under their comments. Skips the opening post. */
export function commentViews(threadId: number, rows: PostRow[], viewOf: ViewOf): CommentView[] {
  const isComment = ({ id, parentId }: PostRow) => id !== threadId && parentId === null
  const repliesOf = new Map<number, PostView[]>(rows.filter(isComment).map(({ id }) => [id, []]))
  for (const row of rows) if (row.parentId !== null) repliesOf.get(row.parentId)?.push(viewOf(row))
  return rows.filter(isComment).map((row) => viewOf(row, repliesOf.get(row.id) ?? []))
}

export function threadView(row: ThreadRow, opening: PostRow, comments: CommentView[], quotes: Quotes): ThreadView {
  return {
    ...postView(opening, quotes),
    boardId: row.boardId,
    title: row.title,
    ...countsOf(row),
    comments,
  }
}

/** @param answers the newest first */
export function listedView(row: ThreadRow, opening: PostRow, answers: PostRow[]): ListedThread {
  const [newest = null, ...earlier] = answers.map(listedComment)
  return {
    ...pickListed({ ...opening, ...row }),
    ...openingFields(opening),
    newest,
    ...(earlier.length > 0 && { earlier: earlier.reverse() }),
  }
}

const listedComment = ({ author, createdAt, content }: PostRow): ListedComment => ({
  ...{ author, createdAt },
  preview: excerpt(content, boardLimits.commentPreview, { skipQuotes: true }),
})

type OpeningRow = Pick<PostRow, 'createdAt' | 'content' | 'image' | 'moreImages' | 'spoiler' | 'stub'>

const openingFields = (opening: OpeningRow) => ({
  preview: excerpt(opening.content, boardLimits.threadPreview),
  picture: listedPicture(opening.image),
  ...(opening.moreImages && { furtherPictures: opening.moreImages.length }),
  ...deletedMark(opening),
})

export const catalogView = (
  row: ThreadRow & Pick<typeof thread.$inferSelect, 'imageCount'>,
  opening: OpeningRow,
): CatalogThread => ({
  ...pickCatalog({ ...opening, ...row }),
  ...openingFields(opening),
})

/** Returns the preview of an image, with the size of the image. */
const listedPicture = (image: StoredImage | null): ImageFile | null =>
  image && { ...fileView(image.preview), width: image.width, height: image.height }

export const latestThreadView = (
  { id, boardId, title, lastActivity, commentCount }: ThreadRow,
  opening: PostRow,
): LatestThread => ({
  ...{ id, boardId, title, lastActivity, commentCount, author: opening.author },
  excerpt: excerpt(opening.content, boardLimits.threadPreview),
  picture: opening.image && !opening.spoiler ? fileView(opening.image.preview) : null,
  ...deletedMark(opening),
})
