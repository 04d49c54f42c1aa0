import { buffer } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { shownPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import { findThread } from './queries.ts'

type Reader = Pick<Services, 'db' | 'files'>

/**
 * Reads what the preview image of a thread shows.
 * @returns `picture` is a file name, or null if the thread has no picture or covers it
 * @throws AppError 404 like findThread, with `gone` for a deleted thread
 */
export async function readThreadCard(ctx: Reader, boardId: string, threadText: string) {
  const { board, thread } = await findThread(ctx, boardId, threadText)
  const [opening] = await ctx.db
    .select({ image: shownPost.image, spoiler: shownPost.spoiler })
    .from(shownPost)
    .where(eq(shownPost.id, thread.id))
  if (!opening) throw errors.notFound(refusal('board.threadNotFound'))
  const picture = opening.spoiler ? null : (opening.image?.display.name ?? null)
  return { title: thread.title, board: board.id, picture }
}

/** Returns null if the file is missing: the image is then drawn without it. */
export async function readPicture({ files }: Reader, name: string): Promise<Buffer | null> {
  const file = await files.read(name)
  return file && buffer(file.content)
}
