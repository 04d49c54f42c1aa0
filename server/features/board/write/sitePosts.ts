import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { post, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { executeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { findPlace } from '#server/features/board/read/queries.ts'
import { hasTooManyPins } from '#server/features/board/states/threadStates.ts'
import { siteAuthor } from './author.ts'
import { ALREADY_SPENT, type InsertResult, insertIntoBoard, insertIntoThread, type NewPost } from './insertPost.ts'
import { changePost } from './postChanges.ts'

type Place = { boardId: string; threadId: number }
type Writer = Pick<Services, 'db' | 'cache' | 'now'>

/** A post that the site writes itself, without captcha, filters and holds. */
type SitePost = {
  /** in whose name the site writes */
  author: string
  content: string
  links: string[]
}

/** @returns the id of the thread, or null if the board does not exist */
export async function insertSiteThread(
  services: Writer,
  tx: Transaction,
  boardId: string,
  title: string,
  post: SitePost,
): Promise<number | null> {
  const statement = insertIntoBoard(boardId, title, toNewPost(services, post))
  const inserted = await executeAndPublish<InsertResult>(services, statement, tx)
  return inserted?.id ? Number(inserted.id) : null
}

/**
 * Adds a comment to a thread, also if the thread is locked or full. Does nothing if the thread or its board was deleted, or
 * if the thread was archived.
 */
export async function insertSiteComment(
  services: Writer,
  tx: Transaction,
  { boardId, threadId }: Place,
  post: SitePost,
): Promise<void> {
  const statement = insertIntoThread({ boardId, threadId, parentId: null }, NO_LIMITS, toNewPost(services, post))
  await executeAndPublish<InsertResult>(services, statement, tx)
}

function toNewPost({ now }: Pick<Services, 'now'>, { author, content, links }: SitePost): NewPost {
  return {
    form: { ...siteAuthor(author), content, links },
    images: [],
    now: now(),
    authorHash: undefined,
    origin: null,
    user: SITE,
    hold: null,
    captchaStatement: ALREADY_SPENT,
    attempt: null,
    raid: null,
  }
}

/** A popular thread is full, but takes what the site writes. */
const MAX_INTEGER = 2 ** 31 - 1
const NO_LIMITS = { threadPosts: MAX_INTEGER, threadBytes: MAX_INTEGER, threadNodes: MAX_INTEGER }

/** Lets the site comment in locked threads, as admins may. */
const SITE = { id: '', role: 'admin' } as const

/** Pins a new thread if its board has less pinned threads than the limit. */
export async function pinIfRoom(tx: Transaction, { boardId, threadId }: Place): Promise<void> {
  const set = (pinned: boolean) => tx.update(thread).set({ pinned }).where(eq(thread.id, threadId))
  await set(true)
  if (await hasTooManyPins(tx, boardId)) await set(false)
}

/** @param place null if the thread is hidden: it may be restored, and then has no pin */
export async function unpin(
  services: Pick<Services, 'now'>,
  tx: Transaction,
  threadId: number,
  place: Place | null,
): Promise<void> {
  if (!place) await tx.update(thread).set({ pinned: false }).where(eq(thread.id, threadId))
  else
    await changePost(services, tx, { id: threadId, threadId, archivedAt: null, board: { id: place.boardId } }, 'unpin')
}

/** Returns where a thread is, or null if it was deleted, also with its board. */
export const findThreadPlace = (reader: Parameters<typeof findPlace>[0], threadId: number): Promise<Place | null> =>
  findPlace(reader, and(eq(post.id, threadId), isNull(thread.deletedAt)))
