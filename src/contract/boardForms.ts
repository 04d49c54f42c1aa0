import { z } from 'zod'
import { hasCode, splitAuthor } from './authorName.ts'
import { boardLimits } from './board.ts'
import { boardFormMessages } from './boardFormTexts.ts'
import { captchaMessages, MAX_PROOF_LENGTH } from './captcha.ts'
import { imageMessages, MAX_POST_IMAGES, UploadedFile } from './image.ts'
import { linksField } from './links.ts'
import { moderationMessages } from './moderation.ts'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'
import { multiLine, optionalLines, singleLine, text } from './text.ts'
import { parseCursor } from './threadCursor.ts'

// Forms are separate from texts and limits, so that pages that only show posts do not load zod.

const nick = singleLine(boardFormMessages.authorRequired, 'Username', boardLimits.author, boardLimits.authorMin).refine(
  (value) => !hasCode(value),
  boardFormMessages.authorCode,
)
const secret = singleLine(boardFormMessages.tripcodeSecret, 'The secret after #', boardLimits.tripcodeSecret)

const author = z
  .string(boardFormMessages.authorRequired)
  .trim()
  .check(({ value, issues }) => {
    const typed = splitAuthor(value)
    const error = nick.safeParse(typed.nick).error ?? (typed.secret !== null && secret.safeParse(typed.secret).error)
    // Leaves out the input, which may contain the secret.
    if (error) issues.push({ code: 'custom', message: error.issues[0]?.message ?? '', input: undefined })
  })
  .describe('nick of 2 to 64 characters, or `nick#secret` for a tripcode: a code that only this secret makes')

const postFields = {
  author,
  captchaAnswer: z
    .union([z.string(), z.number()], captchaMessages.required)
    .transform((value) => String(value).trim())
    .refine((value) => value !== '', captchaMessages.required),
  challengeId: z.string(captchaMessages.required).min(1, captchaMessages.required).max(512, captchaMessages.refused),
  /** A wrong proof of work counts as none. */
  proofOfWork: z
    .string(boardFormMessages.proofOfWork)
    .transform((proof) => (proof.length > MAX_PROOF_LENGTH ? undefined : proof))
    .optional(),
  links: linksField,
  image: z
    .array(z.instanceof(UploadedFile, { error: imageMessages.type }), imageMessages.type)
    .min(1, imageMessages.type)
    .max(MAX_POST_IMAGES, imageMessages.count)
    .optional()
    .describe('image files, one part each'),
}

const content = (message: string) => text(message, 'Content', boardLimits.content)

/** Accepts any text from a URL: an invalid id gets the same 404 as an unknown id. */
const boardId = z.coerce.string<string | number>()
const postId = z.coerce.string<string | number>()

export const boardParams = z.object({ boardId })
export const latestThreadsInput = z.object({
  count: z.int(boardFormMessages.count).min(1, boardFormMessages.count).max(20, boardFormMessages.count),
})
const cursor = z
  .string(boardFormMessages.cursor)
  .regex(/^(?:\d{1,15}-\d{1,15})?$/, boardFormMessages.cursor)
  .refine((text) => text === '' || parseCursor(text) !== null, boardFormMessages.cursor)
  .transform((text) => text || undefined)
export const threadListParams = boardParams.extend({ cursor: cursor.optional() })
export const overboardParams = z.object({ cursor: threadListParams.shape.cursor })
export const threadParams = boardParams.extend({ threadId: postId })
export const commentParams = threadParams.extend({ commentId: postId })
export const replyParams = commentParams.extend({ replyId: postId })

/** Without a thread, the form is for a new thread. `replyTo` is the comment or reply that a reply answers. */
export const postFormParams = boardParams.extend({ threadId: postId.optional(), replyTo: postId.optional() })

export const postParams = z.object({ postId })
/** `number` is the number of a post on the board that the thread was imported from. */
export const importedPostParams = z.object({ threadId: postId, number: postId })

const deleteToken = z.string(moderationMessages.deleteToken).max(100, moderationMessages.deleteToken)
/** Lets the author of a post delete it without a login. */
export const deletion = { deleteToken: deleteToken.optional() }
export const postStatusParams = postParams.extend({ deleteToken })

export const boardForm = z.object({
  name: singleLine(boardFormMessages.boardRequired, 'Board name', boardLimits.boardName),
  description: multiLine(boardFormMessages.boardRequired, 'Description', boardLimits.boardDescription),
})
const threadLimit = z
  .int(boardFormMessages.threadLimit)
  .min(0, boardFormMessages.threadLimit)
  .max(boardLimits.threadLimit, boardFormMessages.threadLimit)
export const boardChange = boardForm.extend({
  rules: optionalLines(boardFormMessages.rules, 'Rules', boardLimits.boardRules),
  threadLimit: threadLimit.optional(),
  posterLabels: z.boolean(boardFormMessages.posterLabels).optional(),
})
/** The fields of the form that changes a board. An empty thread limit is none. */
export const boardSettingsFields = boardChange.extend({
  threadLimit: z.coerce.number(boardFormMessages.threadLimit).pipe(threadLimit),
  posterLabels: z.string().transform((value) => value === 'true'),
})
export const boardMove = z.object({ boardId, by: z.literal([-1, 1], boardFormMessages.move) })
export const moderatorChange = z.object({
  boardId,
  change: z.enum(['add', 'remove'], boardFormMessages.moderator),
  email: z
    .string(boardFormMessages.moderator)
    .trim()
    .toLowerCase()
    .min(1, boardFormMessages.moderator)
    .max(254, boardFormMessages.moderator)
    .refine(isStorable, ILL_FORMED_TEXT),
})
export const threadForm = z.object({
  title: singleLine(boardFormMessages.threadRequired, 'Title', boardLimits.title),
  content: content(boardFormMessages.threadRequired),
  ...postFields,
})
export const commentForm = z.object({
  content: content(boardFormMessages.contentRequired),
  ...postFields,
  sage: z.boolean(boardFormMessages.sage).default(false).describe('the post does not bump its thread'),
})

export type BoardChange = z.output<typeof boardChange>
export type BoardMove = z.output<typeof boardMove>
export type BoardForm = z.input<typeof boardForm>
export type ThreadForm = z.input<typeof threadForm>
export type CommentForm = z.input<typeof commentForm>
