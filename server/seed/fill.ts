import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { thread } from '#db/schema/index.ts'
import { createChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { createComment, createReply, createThread } from '#server/features/board/posts.ts'
import { boardMessages } from '#src/contract/board.ts'
import { air } from './air.ts'
import { desk } from './desk.ts'
import { machines } from './machines.ts'
import { makePicture } from './pictures.ts'
import { createCommunity, type Draft, type Said, type ThreadVoices } from './prose.ts'
import { createRandom, type Random } from './random.ts'
import { type Moment, makeSchedule } from './schedule.ts'
import { servers } from './servers.ts'

/** How much to write: comments are those of the busiest thread. */
export type Amounts = { threads: number; comments: number; pictures: number }
/** What was written; `full` counts the comments and replies a full thread had no room for. */
export type Written = Amounts & { replies: number; full: number }

type Thread = { id: number; voices: ThreadVoices; said: Said[]; comments: (Said | undefined)[] }

const TOPICS = [...machines, ...servers, ...air, ...desk]
const DAYS = 20
const SEED = 1337
/** Up to here the sentences of one subject last without repetition; a busier thread is open to all subjects. */
const COMMENTS_ON_ONE_SUBJECT = 14

/**
 * Fills a board through the services, as if a community had lived on it for some weeks.
 * @param now where the community's clock ends; the clock of `ctx` is not used
 */
export async function fillBoard(ctx: Context, boardId: string, amounts: Amounts, now: Date): Promise<Written> {
  const titles = await ctx.db.select({ title: thread.title }).from(thread).where(eq(thread.boardId, boardId))
  // The board and what is on it already move the seed on: another board and a second run say other things.
  const random = createRandom(crc32(`${SEED} ${boardId} ${titles.length}`))
  const topics = TOPICS.filter(({ boards }) => boards.includes(boardId))
  const community = createCommunity(
    random,
    topics.length > 0 ? topics : TOPICS,
    new Set(titles.map(({ title }) => title)),
  )
  const schedule = makeSchedule(random, {
    ...amounts,
    from: now.getTime() - DAYS * 24 * 60 * 60 * 1000,
    to: now.getTime(),
  })
  const illustrated = choosePictured(random, schedule, amounts.pictures)

  const threads = new Map<number, Thread>()
  const written: Written = { threads: 0, comments: 0, replies: 0, pictures: 0, full: 0 }
  for (const moment of schedule) {
    const at = { ...ctx, now: () => new Date(moment.at) }
    const form = async (draft: Draft) => ({
      ...draft,
      ...verifyChallenge(at),
      image: illustrated.has(moment) ? await makePicture(random, random.pick(draft.topic.pictures)) : undefined,
    })
    if (moment.kind === 'thread') {
      const voices = community.openThread(moment.thread === 0 && amounts.comments > COMMENTS_ON_ONE_SUBJECT)
      const draft = voices.opening()
      const { id } = await createThread(at, boardId, { ...(await form(draft)), title: draft.title })
      threads.set(moment.thread, { id, voices, said: [{ ...draft, id }], comments: [] })
      written.threads++
    } else {
      const on = threads.get(moment.thread) as Thread
      const posted = await unlessFull(() => addPost(at, boardId, on, moment, form))
      if (!posted) {
        written.full++
        continue
      }
      if (moment.kind === 'comment') written.comments++
      else written.replies++
    }
    if (illustrated.has(moment)) written.pictures++
  }
  return written
}

async function addPost(
  ctx: Context,
  boardId: string,
  { id, voices, said, comments }: Thread,
  moment: Exclude<Moment, { kind: 'thread' }>,
  form: (draft: Draft) => Promise<Parameters<typeof createComment>[2]>,
): Promise<void> {
  const path = { boardId, threadId: String(id) }
  if (moment.kind === 'comment') {
    const draft = voices.comment(said)
    const made = { ...draft, id: (await createComment(ctx, path, await form(draft))).id }
    said.push(made)
    comments[moment.comment] = made
  } else {
    const to = comments[moment.comment]
    // The comment was refused before.
    if (!to) throw errors.conflict(boardMessages.threadFull)
    const draft = voices.reply(to)
    await createReply(ctx, { ...path, commentId: String(to.id) }, await form(draft))
  }
}

/** @returns whether there was room */
async function unlessFull(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return false
    throw error
  }
}

/** Which posts get a picture: the busiest thread, then threads and comments by turns. */
function choosePictured(random: Random, schedule: readonly Moment[], count: number): Set<Moment> {
  const [first, ...threads] = schedule.filter(({ kind }) => kind === 'thread')
  const openings = random.shuffle(threads)
  const comments = random.shuffle(schedule.filter(({ kind }) => kind === 'comment'))
  const chosen = first ? [first] : []
  for (let at = 0; at < Math.max(openings.length, comments.length); at++) {
    chosen.push(...comments.slice(at, at + 1), ...openings.slice(at, at + 1))
  }
  return new Set(chosen.slice(0, count))
}

/** Does the sum as a visitor would: the seed goes through the same doors. */
function verifyChallenge(ctx: Context): { challengeId: string; captchaAnswer: string } {
  const { challengeId, question } = createChallenge(ctx.secrets.captcha, ctx.now(), ctx.address)
  const [, left, sign, right] = /(\d+) (\S) (\d+)/.exec(question) ?? []
  const [a, b] = [Number(left), Number(right)]
  return { challengeId, captchaAnswer: String(sign === '+' ? a + b : sign === '−' ? a - b : a * b) }
}
