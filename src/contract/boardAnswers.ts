import { z } from 'zod'
import { imageFileSchema, imageSchema } from './imageAnswers.ts'
import { linkCardSchema } from './linkCardAnswers.ts'

export const postRefSchema = z
  .object({ id: z.int(), threadId: z.int(), boardId: z.string() })
  .meta({ id: 'PostReference' })
export type PostRef = z.output<typeof postRefSchema>

export const boardSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    rules: z.string().describe('posting rules, one per line; empty if the board has none'),
    threadLimit: z.int().describe('threads beyond this number are archived; 0 for no limit'),
    posterLabels: z.boolean().describe('new posts get a `posterLabel`'),
    moderators: z.array(z.string()).describe('email addresses'),
  })
  .meta({ id: 'Board' })
export type BoardView = z.output<typeof boardSchema>

export const postStatusSchema = z.object({
  status: z.enum(['held', 'published', 'removed']).describe('`removed`: refused, or deleted'),
  heldUntil: z
    .date()
    .nullable()
    .describe('when a held post is published without a review; null if it waits for a moderator'),
  reason: z.string().describe('why it was removed, as in the public log; may be empty'),
})
/** The state of a post, for its author. */
export type PostStatus = z.output<typeof postStatusSchema>

export const postSchema = z
  .object({
    id: z.int(),
    author: z.string(),
    tripcode: z.string().nullable().describe("`!!` and a code of the author's secret; null if the author gave none"),
    posterLabel: z
      .string()
      .nullable()
      .describe('the same for all posts of a poster in this thread, on boards that show it'),
    sage: z.boolean().describe('the post did not bump its thread'),
    content: z.string(),
    createdAt: z.date(),
    image: z.string().nullable().describe('URL of the first image'),
    picture: imageSchema.nullable().describe('the same image in all sizes'),
    pictures: z
      .array(imageSchema)
      .optional()
      .describe('all images, the first one too; missing if the post has at most one'),
    spoiler: z.boolean().describe('the images are covered until the reader uncovers them'),
    links: z.array(z.string()),
    quotes: z.array(postRefSchema).describe('existing posts that this post quotes'),
    quotedBy: z.array(postRefSchema).describe('existing posts that quote this post, oldest first, at most 100'),
    highlights: z
      .array(z.array(z.int()))
      .optional()
      .describe('colours of the blocks of code, in threads: per block pairs of a length and the index of a style'),
    cards: z.array(linkCardSchema).optional().describe('items of this site that the post links to, in threads'),
    deleted: z
      .literal(true)
      .optional()
      .describe('its author deleted the post; it keeps its place, without a text, because others answered it'),
  })
  .meta({ id: 'Post' })
export type PostView = z.output<typeof postSchema>
export type ReplyView = PostView

export const quotedPostSchema = postSchema
  .extend({ boardId: z.string(), threadId: z.int(), threadTitle: z.string(), path: z.string() })
  .meta({ id: 'QuotedPost' })
/** A post outside its thread, for previews of quotes. */
export type QuotedPost = z.output<typeof quotedPostSchema>

export const commentSchema = postSchema.extend({ replies: z.array(postSchema) }).meta({ id: 'Comment' })
export type CommentView = z.output<typeof commentSchema>

export const threadSchema = postSchema
  .extend({
    boardId: z.string(),
    title: z.string(),
    lastActivity: z.date(),
    commentCount: z.int(),
    replyCount: z.int(),
    locked: z.boolean().describe('takes no comments and replies, except from moderators'),
    pinned: z.boolean().describe('listed first on its board'),
    archived: z.boolean().describe("takes no posts and is in its board's archive instead of its list"),
    comments: z
      .array(commentSchema)
      .describe('lists: the newest comments, newest first, without replies; thread: all comments, oldest first'),
  })
  .meta({ id: 'Thread' })
export type ThreadView = z.output<typeof threadSchema>

const listedFields = {
  ...threadSchema.pick({
    id: true,
    boardId: true,
    title: true,
    createdAt: true,
    lastActivity: true,
    commentCount: true,
    locked: true,
    pinned: true,
    spoiler: true,
    deleted: true,
  }).shape,
  preview: z.string().describe('the opening post in one line, cut to 200 characters'),
  picture: imageFileSchema.nullable().describe('a small version of the first image, with the size of the image'),
  furtherPictures: z.int().optional().describe('number of images after the first one; missing if there are none'),
}

const listedCommentSchema = postSchema
  .pick({ author: true, createdAt: true })
  .extend({ preview: z.string().describe('the comment in one line, cut to 100 characters') })
export type ListedComment = z.output<typeof listedCommentSchema>

export const listedThreadSchema = z
  .object({
    ...listedFields,
    ...threadSchema.pick({ author: true, links: true }).shape,
    newest: listedCommentSchema.nullable().describe('the newest comment'),
  })
  .meta({ id: 'ListedThread' })
export type ListedThread = z.output<typeof listedThreadSchema>

export const catalogThreadSchema = z
  .object({
    ...listedFields,
    ...threadSchema.pick({ replyCount: true }).shape,
    imageCount: z.int().describe('images of all posts, including the opening post'),
  })
  .meta({ id: 'CatalogThread' })
/** A thread in the catalog of its board. */
export type CatalogThread = z.output<typeof catalogThreadSchema>

export const archivedThreadSchema = threadSchema
  .pick({ id: true, title: true, lastActivity: true, commentCount: true, replyCount: true })
  .meta({ id: 'ArchivedThread' })
export type ArchivedThread = z.output<typeof archivedThreadSchema>

/** Returns the schema of the answer to a new post. */
export const createdPostSchema = <Name extends string, View extends z.ZodType>(name: Name, view: View) =>
  z.object({
    [name]: view,
    deleteToken: z.string().describe('lets the author delete the post without a login'),
    held: z.literal(true).optional().describe('set if the post waits for a review'),
    heldUntil: z.date().nullable().optional().describe('when it is published by itself; null: by a moderator only'),
  })
