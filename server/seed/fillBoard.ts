import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { thread } from '#db/schema/index.ts'
import { createChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { createComment, createReply, createThread } from '#server/features/board/posts.ts'
import { boardMessages } from '#src/contract/board.ts'
import { createCommunity, type Draft, type ThreadWriter, type WrittenPost } from './community.ts'
import { createImage } from './images.ts'
import { createRandom, type Random } from './random.ts'
import { type Moment, makeSchedule } from './schedule.ts'
import { topics } from './texts.ts'

/** `comments` counts those of the busiest thread. */
export type Amounts = { threads: number; comments: number; pictures: number }
/** `rejected` counts the comments and replies that exceeded a thread's limit. */
export type SeedCounts = Amounts & { replies: number; rejected: number }

type Thread = { id: number; writer: ThreadWriter; posts: WrittenPost[]; comments: (WrittenPost | undefined)[] }

const DAYS = 20
const SEED = 1337
/** One topic has enough sentences for so many comments without repetition; a busier thread is about all topics. */
const MAX_COMMENTS_ON_ONE_TOPIC = 14

/**
 * Writes the posts of some weeks through the services.
 * @param now the latest time of a post; the clock of `ctx` is not used
 */
export async function fillBoard(ctx: Context, boardId: string, amounts: Amounts, now: Date): Promise<SeedCounts> {
  const titles = await ctx.db.select({ title: thread.title }).from(thread).where(eq(thread.boardId, boardId))
  // Another board and a second run get other texts.
  const random = createRandom(crc32(`${SEED} ${boardId} ${titles.length}`))
  const ownTopics = topics.filter(({ boards }) => boards.includes(boardId))
  const community = createCommunity(
    random,
    ownTopics.length > 0 ? ownTopics : topics,
    new Set(titles.map(({ title }) => title)),
  )
  const schedule = makeSchedule(random, {
    ...amounts,
    from: now.getTime() - DAYS * 24 * 60 * 60 * 1000,
    to: now.getTime(),
  })
  const withImage = pickPostsWithImage(random, schedule, amounts.pictures)

  const threads = new Map<number, Thread>()
  const counts: SeedCounts = { threads: 0, comments: 0, replies: 0, pictures: 0, rejected: 0 }
  for (const moment of schedule) {
    const at = { ...ctx, now: () => new Date(moment.at) }
    const form = async (draft: Draft) => ({
      ...draft,
      ...solveCaptcha(at),
      image: withImage.has(moment) ? await createImage(random, random.pick(draft.topic.images)) : undefined,
    })
    if (moment.kind === 'thread') {
      const writer = community.startThread(moment.thread === 0 && amounts.comments > MAX_COMMENTS_ON_ONE_TOPIC)
      const draft = writer.opening()
      const { id } = await createThread(at, boardId, { ...(await form(draft)), title: draft.title })
      threads.set(moment.thread, { id, writer, posts: [{ ...draft, id }], comments: [] })
      counts.threads++
    } else {
      const target = threads.get(moment.thread) as Thread
      const posted = await unlessFull(() => addPost(at, boardId, target, moment, form))
      if (!posted) {
        counts.rejected++
        continue
      }
      if (moment.kind === 'comment') counts.comments++
      else counts.replies++
    }
    if (withImage.has(moment)) counts.pictures++
  }
  return counts
}

async function addPost(
  ctx: Context,
  boardId: string,
  { id, writer, posts, comments }: Thread,
  moment: Exclude<Moment, { kind: 'thread' }>,
  form: (draft: Draft) => Promise<Parameters<typeof createComment>[2]>,
): Promise<void> {
  const path = { boardId, threadId: String(id) }
  if (moment.kind === 'comment') {
    const draft = writer.comment(posts)
    const written = { ...draft, id: (await createComment(ctx, path, await form(draft))).id }
    posts.push(written)
    comments[moment.comment] = written
  } else {
    const to = comments[moment.comment]
    // The comment was rejected.
    if (!to) throw errors.conflict(boardMessages.threadFull)
    const draft = writer.reply(to)
    await createReply(ctx, { ...path, commentId: String(to.id) }, await form(draft))
  }
}

/** @returns false if the thread is full */
async function unlessFull(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}

/** Picks the busiest thread first, then threads and comments in turn. */
function pickPostsWithImage(random: Random, schedule: readonly Moment[], count: number): Set<Moment> {
  const [first, ...threads] = schedule.filter(({ kind }) => kind === 'thread')
  const openings = random.shuffle(threads)
  const comments = random.shuffle(schedule.filter(({ kind }) => kind === 'comment'))
  const chosen = first ? [first] : []
  for (let at = 0; at < Math.max(openings.length, comments.length); at++) {
    chosen.push(...comments.slice(at, at + 1), ...openings.slice(at, at + 1))
  }
  return new Set(chosen.slice(0, count))
}

/** The services require a solved captcha of every author. */
function solveCaptcha(ctx: Context): { challengeId: string; captchaAnswer: string } {
  const { challengeId, question } = createChallenge(ctx.secrets.captcha, ctx.now(), ctx.address)
  const [, left, sign, right] = /(\d+) (\S) (\d+)/.exec(question) ?? []
  const [a, b] = [Number(left), Number(right)]
  return { challengeId, captchaAnswer: String(sign === '+' ? a + b : sign === '−' ? a - b : a * b) }
}
