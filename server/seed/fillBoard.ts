import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { thread } from '#db/schema/index.ts'
import { createChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { withSvgDecoder } from '#server/core/media/svg.ts'
import { createComment, createReply, createThread } from '#server/features/board/write/posts.ts'
import { UploadedFile } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createCommunity, type Draft, type ThreadWriter, type WrittenPost } from './community.ts'
import { motifs } from './motifs.ts'
import { createRandom, type Random } from './random.ts'
import { makeSchedule, type ScheduledPost } from './schedule.ts'
import { topics } from './texts.ts'

/** `comments` is the number of comments in the busiest thread. */
export type Amounts = { threads: number; comments: number; pictures: number }
/** `comments` counts comments in all threads. `rejected` counts comments and replies above a thread's limit. */
export type SeedCounts = Amounts & { replies: number; rejected: number }

type Thread = { id: number; writer: ThreadWriter; posts: WrittenPost[]; comments: (WrittenPost | undefined)[] }

const DAYS = 20
const SEED = 1337
/** With more comments, sentences about one topic would repeat, so the thread covers all topics. */
const MAX_COMMENTS_ON_ONE_TOPIC = 14

/**
 * Writes posts for the last weeks through the services.
 * @param now the latest time for a post; the clock in `ctx` is not used
 */
export async function fillBoard(ctx: Context, boardId: string, amounts: Amounts, now: Date): Promise<SeedCounts> {
  const rows = await ctx.db.select({ title: thread.title }).from(thread).where(eq(thread.boardId, boardId))
  const titles = new Set(rows.map(({ title }) => title))
  // The seed differs for each board and each run, so that the texts differ.
  const random = createRandom(crc32(`${SEED} ${boardId} ${titles.size}`))
  const ownTopics = topics.filter(({ boards }) => boards.includes(boardId))
  const startThread = createCommunity(random, ownTopics.length > 0 ? ownTopics : topics, titles)
  const to = now.getTime()
  const schedule = makeSchedule(random, { ...amounts, from: to - DAYS * 24 * 60 * 60 * 1000, to })
  const withImage = pickPostsWithImage(random, schedule, amounts.pictures)

  const threads = new Map<number, Thread>()
  const counts: SeedCounts = { threads: 0, comments: 0, replies: 0, pictures: 0, rejected: 0 }
  for (const moment of schedule) {
    try {
      await addPost(moment)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error
      counts.rejected++
      continue
    }
    if (moment.kind === 'thread') counts.threads++
    else if (moment.kind === 'comment') counts.comments++
    else counts.replies++
    if (withImage.has(moment)) counts.pictures++
  }
  return counts

  /** @throws AppError CONFLICT if the thread is full */
  async function addPost(moment: ScheduledPost): Promise<void> {
    const at = { ...ctx, now: () => new Date(moment.at) }
    const createForm = async <T extends Draft>(draft: T) => ({
      ...draft,
      ...solveCaptcha(at),
      image: withImage.has(moment) ? [await createImage(random)] : undefined,
    })
    if (moment.kind === 'thread') {
      const writer = startThread(moment.thread === 0 && amounts.comments > MAX_COMMENTS_ON_ONE_TOPIC)
      const draft = writer.opening()
      const { id } = (await createThread(at, boardId, await createForm(draft))).thread
      threads.set(moment.thread, { id, writer, posts: [{ ...draft, id }], comments: [] })
      return
    }
    const { id: threadId, writer, posts, comments } = threads.get(moment.thread) as Thread
    const path = { boardId, threadId }
    if (moment.kind === 'comment') {
      const draft = writer.comment(posts)
      const { id } = (await createComment(at, path, await createForm(draft))).comment
      posts.push({ ...draft, id })
      comments[moment.comment] = { ...draft, id }
    } else {
      const comment = comments[moment.comment]
      if (!comment) throw errors.conflict(refusal('board.threadFull'))
      await createReply(at, { ...path, commentId: comment.id }, await createForm(writer.reply(comment)))
    }
  }
}

function pickPostsWithImage(random: Random, schedule: readonly ScheduledPost[], count: number): Set<ScheduledPost> {
  const [first, ...threads] = schedule.filter(({ kind }) => kind === 'thread')
  const comments = random.shuffle(schedule.filter(({ kind }) => kind === 'comment'))
  const others = random.shuffle(threads).flatMap((opening, at) => [...comments.slice(at, at + 1), opening])
  return new Set([...(first ? [first] : []), ...others, ...comments.slice(threads.length)].slice(0, count))
}

/** Solves a captcha, because the services require one for each post. */
function solveCaptcha(ctx: Context): { challengeId: string; captchaAnswer: string } {
  const { challengeId, question } = createChallenge(ctx)
  const [, left, sign, right] = /(\d+) (\S) (\d+)/.exec(question) ?? []
  const [a, b] = [Number(left), Number(right)]
  return { challengeId, captchaAnswer: String(sign === '+' ? a + b : sign === '−' ? a - b : a * b) }
}

const SIZES = [
  { width: 1280, height: 720 },
  { width: 720, height: 960 },
  { width: 1280, height: 800 },
  { width: 800, height: 800 },
]

/** Draws what people of such a board post: a trace of an oscilloscope, a terminal, a circuit board, a mast on a hill. */
async function createImage(random: Random): Promise<UploadedFile> {
  const size = random.pick(SIZES)
  const { name, format, draw } = random.pick(motifs)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${draw(random, size)}</svg>`
  const bytes = await withSvgDecoder(() => sharp(Buffer.from(svg)).flatten().toFormat(format).toBuffer())
  return new UploadedFile(`${name}.${format}`, `image/${format}`, bytes)
}
