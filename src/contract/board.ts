import { z } from 'zod'
import { type AuthUser, accountEmail } from './auth.ts'
import { hasCode, splitAuthor } from './authorName.ts'
import { flag, wholeNumber } from './fields.ts'
import { refusal } from './refusal.ts'
import { isStorable, multiLine, optionalLines, singleLine, UNSAFE_IN_LINE } from './text.ts'

export const boardLimits = {
  title: 200,
  content: 20_000,
  author: 64,
  authorMin: 2,
  secret: 128,
  boardName: 64,
  boardDescription: 500,
  boardRules: 2000,
  /** maximum of a board's limit on live threads */
  threadLimit: 10_000,
  threadsPerPage: 50,
  archivedPerPage: 100,
  catalogThreads: 500,
  latestComments: 5,
  /** pinned threads of a board; its first page shows all of them */
  pinnedThreads: 10,
  /** the list of boards counts at most this many threads of a board, and one more as a sign of more */
  countedThreads: 300,
  /** posts per half hour, for 24 hours */
  activityCounts: 48,
  /** preview lengths in lists, in characters */
  threadPreview: 200,
  commentPreview: 100,
  /** maximum of a board's number of newest comments below each thread */
  latestReplies: 5,
  quotes: 50,
  /** maximum length of `quotedBy`; more posts may quote the post */
  quotedBy: 100,
} as const

/** Posts are counted per ten minutes. */
export const ACTIVITY_SLOT_MS = 600_000

/** Posts of all boards on this UTC day. */
export type DayActivity = {
  /** posts per ten minutes, from midnight to now */
  counts: number[]
  /** posts of the last hour, which may have begun yesterday */
  lastHour: number
}

/** Local storage key of the boards that the page of all boards hides. pages/early.js reads it too. */
export const HIDDEN_BOARDS_KEY = 'dtpchan_hidden_boards'

/** Returns whether the user may moderate the board. Admins moderate all boards, members only boards that list them. */
export const canModerate = (user: AuthUser | null, { moderators }: Pick<BoardView, 'moderators'>): boolean =>
  user !== null && (user.role === 'admin' || moderators.includes(user.email))

/** The public log of moderators. */
export const LOG_PATH = '/dtpchan/log'

export const boardPath = (boardId: string) => `/dtpchan/board/${encodeURIComponent(boardId)}`

export const boardSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    rules: z.string().describe('posting rules, one per line; empty if the board has none'),
    threadLimit: z.int().describe('threads beyond this number are archived; 0 for no limit'),
    posterLabels: z.boolean().describe('new posts get a `posterLabel`'),
    defaultName: z.string().describe('given to posts without a name; empty if posts need one'),
    latestReplies: z.int().describe('newest comments that the page of the board shows below each thread'),
    moderators: z.array(z.string()).describe('email addresses'),
  })
  .meta({ id: 'Board' })
export type BoardView = z.output<typeof boardSchema>

/** Accepts any text from a URL: an invalid id gets the same 404 as an unknown id. */
const boardId = z.coerce.string<string | number>()

export const boardParams = z.object({ boardId })

export const boardForm = z.object({
  name: singleLine(refusal('board.boardRequired'), 'field.boardName', boardLimits.boardName),
  description: multiLine(refusal('board.boardRequired'), 'field.description', boardLimits.boardDescription),
})
const threadLimit = wholeNumber(refusal('admin.threadLimitRefusal'), 0, boardLimits.threadLimit)
/** Names look like names of visitors, so that no code can be set for all of them. */
const defaultName = z
  .string(refusal('admin.defaultNameRefusal'))
  .trim()
  .max(boardLimits.author, refusal('admin.defaultNameRefusal'))
  .refine(
    (name) => isStorable(name) && !UNSAFE_IN_LINE.test(name) && !hasCode(name) && splitAuthor(name).nick === name,
    refusal('admin.defaultNameRefusal'),
  )
const latestReplies = wholeNumber(refusal('admin.latestRepliesRefusal'), 0, boardLimits.latestReplies)
/** The settings of a board that are not texts. Each one is a column, and exports contain it. */
export const boardSettings = { threadLimit, posterLabels: flag('posterLabels'), defaultName, latestReplies }
export const boardChange = boardForm.extend({
  rules: optionalLines(refusal('board.rulesRefusal'), 'field.rules', boardLimits.boardRules),
  ...z.object(boardSettings).partial().shape,
})
export const boardMove = z.object({ boardId, by: z.literal([-1, 1], refusal('board.move')) })
export const moderatorChange = z.object({
  boardId,
  change: z.enum(['add', 'remove'], refusal('board.moderator')),
  email: accountEmail(refusal('board.moderator')),
})

export type BoardChange = z.output<typeof boardChange>
export type BoardForm = z.input<typeof boardForm>
