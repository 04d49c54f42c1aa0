import { z } from 'zod'
import type { AuthUser } from './auth.ts'
import { hasCode, splitAuthor } from './authorName.ts'
import { type BoardView, boardLimits, boardParams, boardPath, canModerate } from './board.ts'
import { captchaFields, MAX_PROOF_LENGTH } from './captcha.ts'
import { flag, pathNumber } from './fields.ts'
import { type ImageView, imageSchema, MAX_POST_IMAGES, UploadedFile } from './image.ts'
import { linkCardSchema, linksField } from './links.ts'
import { type Refusal, refusal } from './refusal.ts'
import { indentedText, singleLine } from './text.ts'

/** Maximum image heights in CSS px. */
export const imageHeights = { list: 200, thread: 500, comment: 300, reply: 250 } as const

/** Returns all images of a post. */
export const picturesOf = ({ picture, pictures }: Pick<PostView, 'picture' | 'pictures'>): ImageView[] =>
  pictures ?? (picture ? [picture] : [])

/** Local storage key of the posts that this browser sent. */
export const OWN_POSTS_KEY = 'dtpchan_own_posts'

/** Local storage key of the threads that a browser follows, and of the replies to its posts. */
export const WATCHING_KEY = 'dtpchan_watching'

/** The fields of the form that are kept as a draft, when they are empty. A ticked box is `true`. */
export const EMPTY_DRAFT = { title: '', content: '', links: '', sage: '' }
export type PostDraft = typeof EMPTY_DRAFT

export type PostPlace = { boardId: string; threadId?: number | string; commentId?: number | string }

/** Returns the page with the form of a new thread, a comment in a thread, or a reply to a comment. */
export function postFormPath({ boardId, threadId, commentId }: PostPlace): string {
  let path = `${boardPath(boardId)}/post`
  if (threadId !== undefined) path += `?thread=${encodeURIComponent(threadId)}`
  return commentId === undefined ? path : `${path}&comment=${encodeURIComponent(commentId)}`
}

export const postRefSchema = z
  .object({ id: z.int(), threadId: z.int(), boardId: z.string() })
  .meta({ id: 'PostReference' })
export type PostRef = z.output<typeof postRefSchema>

/** `text` is the link as it is written, such as `>>>/tech/` or `>>>/tech/123`. The ids are of the linked post. */
const boardLinkSchema = z
  .object({ text: z.string(), boardId: z.string(), threadId: z.int().optional(), id: z.int().optional() })
  .meta({ id: 'BoardLink' })
export type BoardLink = z.output<typeof boardLinkSchema>

export const postStatusSchema = z.object({
  status: z.enum(['held', 'published', 'removed']).describe('`removed`: refused, or deleted'),
  heldUntil: z
    .date()
    .nullable()
    .describe('when a held post is published without a review; null if it waits for a moderator'),
  reason: z.string().describe('why it was removed, as in the public log; may be empty'),
  expired: z
    .literal(true)
    .optional()
    .describe('nobody removed it: it was one of the oldest of a cyclical thread, or waited too long for a review'),
})
/** The state of a post, for its author. */
export type PostStatus = z.output<typeof postStatusSchema>

/** How a moderator signs a post of their board. Nobody can type it. */
export const CAPCODES = ['mod', 'admin'] as const
export type Capcode = (typeof CAPCODES)[number]

/** Returns how the user may sign posts of the board. */
export const capcodesOf = (user: AuthUser | null, board: Pick<BoardView, 'moderators'>): Capcode[] =>
  canModerate(user, board) ? (user?.role === 'admin' ? ['mod', 'admin'] : ['mod']) : []

/** The fields that name the author of a post. */
export const bylineFields = {
  author: z.string(),
  tripcode: z.string().nullable().describe("`!!` and a code of the author's secret; null if the author gave none"),
  capcode: z.enum(CAPCODES).optional().describe('its author signed it as a moderator of the board or as an admin'),
}
const bylineSchema = z.object(bylineFields)
export type Byline = z.output<typeof bylineSchema>

/** The flags of a post that moderators can set. */
const postFlags = { spoiler: z.boolean().describe('the images are covered until the reader uncovers them') }
export type PostFlags = Pick<PostView, keyof typeof postFlags>

/** Lists moderators' actions on a post, with the flags that each one sets. */
export const POST_FLAG_ACTIONS = {
  spoiler: { spoiler: true },
  unspoiler: { spoiler: false },
} as const satisfies Record<string, Partial<PostFlags>>

export const postSchema = z
  .object({
    id: z.int(),
    ...bylineFields,
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
    ...postFlags,
    links: z.array(z.string()),
    quotes: z.array(postRefSchema).describe('existing posts that this post quotes'),
    quotedBy: z.array(postRefSchema).describe('existing posts that quote this post, oldest first, at most 100'),
    highlights: z
      .array(z.array(z.int()))
      .optional()
      .describe('colours of the blocks of code, in threads: per block pairs of a length and the index of a style'),
    cards: z.array(linkCardSchema).optional().describe('items of this site that the post links to, in threads'),
    boardLinks: z
      .array(boardLinkSchema)
      .optional()
      .describe('existing boards and posts that the text links to like `>>>/tech/123`, in threads'),
    note: z.string().optional().describe('text of a moderator below the post, from the ban of its poster'),
    deleted: z
      .literal(true)
      .optional()
      .describe('its author deleted the post; it keeps its place, without a text, because others answered it'),
  })
  .meta({ id: 'Post' })
export type PostView = z.output<typeof postSchema>

export const quotedPostSchema = postSchema
  .extend({ boardId: z.string(), threadId: z.int(), threadTitle: z.string(), path: z.string() })
  .meta({ id: 'QuotedPost' })
/** A post outside its thread, for previews of quotes. */
export type QuotedPost = z.output<typeof quotedPostSchema>

export const commentSchema = postSchema.extend({ replies: z.array(postSchema) }).meta({ id: 'Comment' })
export type CommentView = z.output<typeof commentSchema>

/** Returns the schema of the answer to a new post. */
export const createdPostSchema = <Name extends string, View extends z.ZodType>(name: Name, view: View) =>
  z.object({
    [name]: view,
    deleteToken: z.string().describe('lets the author delete the post without a login'),
    held: z.literal(true).optional().describe('set if the post waits for a review'),
    heldUntil: z.date().nullable().optional().describe('when it is published by itself; null: by a moderator only'),
  })

const nick = singleLine(
  refusal('board.authorRequired'),
  'field.username',
  boardLimits.author,
  boardLimits.authorMin,
).refine((value) => !hasCode(value), refusal('board.authorCode'))
const secret = singleLine(refusal('board.tripcodeSecret'), 'field.secret', boardLimits.secret)

const author = z
  .string(refusal('board.authorRequired'))
  .trim()
  .check(({ value, issues }) => {
    const typed = splitAuthor(value)
    // The server knows whether the board takes posts without a name.
    const error =
      (typed.nick !== '' && nick.safeParse(typed.nick).error) ||
      (typed.secret !== null && secret.safeParse(typed.secret).error)
    // Leaves out the input, which may contain the secret.
    if (error) issues.push({ code: 'custom', message: error.issues[0]?.message ?? '', input: undefined })
  })
  .describe(
    'nick of 2 to 64 characters, or `nick#secret` for a tripcode: a code that only this secret makes. Boards with a default name take an empty nick',
  )

const postFields = {
  author,
  ...captchaFields,
  /** A wrong proof of work counts as none. */
  proofOfWork: z
    .string(refusal('board.proofOfWork'))
    .transform((proof) => (proof.length > MAX_PROOF_LENGTH ? undefined : proof))
    .optional(),
  capcode: z
    .enum(CAPCODES, refusal('board.capcode'))
    .optional()
    .describe('signs the post, with a bearer token: `mod` for moderators of the board, `admin` for admins'),
  links: linksField,
  image: z
    .array(z.instanceof(UploadedFile, { error: refusal('image.type') }), refusal('image.type'))
    .min(1, refusal('image.type'))
    .max(MAX_POST_IMAGES, refusal('image.count', { max: MAX_POST_IMAGES }))
    .optional()
    .describe('image files, one part each'),
}

const content = (message: Refusal) => indentedText(message, 'field.content', boardLimits.content)

export const threadParams = boardParams.extend({ threadId: pathNumber })
export const commentParams = threadParams.extend({ commentId: pathNumber })
export const replyParams = commentParams.extend({ replyId: pathNumber })

/** Without both, the form is for a new thread. `replyTo` is the comment or reply that a reply answers. */
export const postFormParams = boardParams.extend({ threadId: pathNumber.optional(), replyTo: pathNumber.optional() })

export const postParams = z.object({ postId: pathNumber })
/** `pageId` is the thread whose page shows the post. */
export const shownPostParams = postParams.extend({ pageId: z.int().optional() })
/** `number` is the number of a post on the board that the thread was imported from. */
export const importedPostParams = z.object({ threadId: pathNumber, number: pathNumber })

const deleteToken = z.string(refusal('moderation.deleteToken')).max(100, refusal('moderation.deleteToken'))
/** Lets the author of a post delete it without a login. */
export const deletion = { deleteToken: deleteToken.optional() }
export const postStatusParams = postParams.extend({ deleteToken })

export const threadForm = z.object({
  title: singleLine(refusal('board.threadRequired'), 'field.title', boardLimits.title),
  content: content(refusal('board.threadRequired')),
  ...postFields,
})
export const commentForm = z.object({
  content: content(refusal('board.contentRequired')),
  ...postFields,
  sage: flag('sage').default(false).describe('the post does not bump its thread'),
})
type ThreadFields = z.output<typeof threadForm>
type CommentFields = z.output<typeof commentForm>
/** A new thread, comment or reply. What only one of the forms has may be missing. */
export type PostForm = Pick<ThreadFields, keyof ThreadFields & keyof CommentFields> &
  Partial<ThreadFields & CommentFields>
