import { z } from 'zod'
import { hasCode, splitAuthor } from './authorName.ts'
import { boardLimits } from './board.ts'
import { MAX_PROOF_LENGTH } from './captcha.ts'
import { MAX_POST_IMAGES, UploadedFile } from './image.ts'
import { linksField } from './links.ts'
import { type Refusal, refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { multiLine, optionalLines, singleLine, text } from './text.ts'
import { parseCursor } from './threadCursor.ts'

// Forms are separate from texts and limits, so that pages that only show posts do not load zod.

const nick = singleLine(
  refusal('board.authorRequired'),
  'field.username',
  boardLimits.author,
  boardLimits.authorMin,
).refine((value) => !hasCode(value), refusal('board.authorCode'))
const secret = singleLine(refusal('board.tripcodeSecret'), 'field.secret', boardLimits.tripcodeSecret)

const author = z
  .string(refusal('board.authorRequired'))
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
    .union([z.string(), z.number()], refusal('board.captchaRequired'))
    .transform((value) => String(value).trim())
    .refine((value) => value !== '', refusal('board.captchaRequired')),
  challengeId: z
    .string(refusal('board.captchaRequired'))
    .min(1, refusal('board.captchaRequired'))
    .max(512, refusal('board.captchaRefused')),
  /** A wrong proof of work counts as none. */
  proofOfWork: z
    .string(refusal('board.proofOfWork'))
    .transform((proof) => (proof.length > MAX_PROOF_LENGTH ? undefined : proof))
    .optional(),
  links: linksField,
  image: z
    .array(z.instanceof(UploadedFile, { error: refusal('image.type') }), refusal('image.type'))
    .min(1, refusal('image.type'))
    .max(MAX_POST_IMAGES, refusal('image.count', { max: MAX_POST_IMAGES }))
    .optional()
    .describe('image files, one part each'),
}

const content = (message: Refusal) => text(message, 'field.content', boardLimits.content)

/** Accepts any text from a URL: an invalid id gets the same 404 as an unknown id. */
const boardId = z.coerce.string<string | number>()
const postId = z.coerce.string<string | number>()

export const boardParams = z.object({ boardId })
export const latestThreadsInput = z.object({
  count: z.int(refusal('board.count')).min(1, refusal('board.count')).max(20, refusal('board.count')),
})
const cursor = z
  .string(refusal('board.cursor'))
  .regex(/^(?:\d{1,15}-\d{1,15})?$/, refusal('board.cursor'))
  .refine((text) => text === '' || parseCursor(text) !== null, refusal('board.cursor'))
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

const deleteToken = z.string(refusal('moderation.deleteToken')).max(100, refusal('moderation.deleteToken'))
/** Lets the author of a post delete it without a login. */
export const deletion = { deleteToken: deleteToken.optional() }
export const postStatusParams = postParams.extend({ deleteToken })

export const boardForm = z.object({
  name: singleLine(refusal('board.boardRequired'), 'field.boardName', boardLimits.boardName),
  description: multiLine(refusal('board.boardRequired'), 'field.description', boardLimits.boardDescription),
})
const threadLimit = z
  .int(refusal('board.threadLimit'))
  .min(0, refusal('board.threadLimit'))
  .max(boardLimits.threadLimit, refusal('board.threadLimit'))
export const boardChange = boardForm.extend({
  rules: optionalLines(refusal('board.rulesRefusal'), 'field.rules', boardLimits.boardRules),
  threadLimit: threadLimit.optional(),
  posterLabels: z.boolean(refusal('board.posterLabels')).optional(),
})
/** The fields of the form that changes a board. An empty thread limit is none. */
export const boardSettingsFields = boardChange.extend({
  threadLimit: z.coerce.number(refusal('board.threadLimit')).pipe(threadLimit),
  posterLabels: z.string().transform((value) => value === 'true'),
})
export const boardMove = z.object({ boardId, by: z.literal([-1, 1], refusal('board.move')) })
export const moderatorChange = z.object({
  boardId,
  change: z.enum(['add', 'remove'], refusal('board.moderator')),
  email: z
    .string(refusal('board.moderator'))
    .trim()
    .toLowerCase()
    .min(1, refusal('board.moderator'))
    .max(254, refusal('board.moderator'))
    .refine(isStorable, refusal('failure.unstorable')),
})
export const threadForm = z.object({
  title: singleLine(refusal('board.threadRequired'), 'field.title', boardLimits.title),
  content: content(refusal('board.threadRequired')),
  ...postFields,
})
export const commentForm = z.object({
  content: content(refusal('board.contentRequired')),
  ...postFields,
  sage: z.boolean(refusal('board.sageRefusal')).default(false).describe('the post does not bump its thread'),
})

export type BoardChange = z.output<typeof boardChange>
export type BoardMove = z.output<typeof boardMove>
export type BoardForm = z.input<typeof boardForm>
export type ThreadForm = z.input<typeof threadForm>
export type CommentForm = z.input<typeof commentForm>
