import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { threadDocument } from '#server/features/board/fourchan/documents.ts'
import { extensionOf } from '#server/features/board/fourchan/fourchanPosts.ts'
import { imageNumber } from '#server/features/board/fourchan/imageNumber.ts'
import { addBoardLinks } from '#server/features/board/read/boardLinks.ts'
import { readThreadPosts } from '#server/features/board/read/threads.ts'
import type { ExportFolder } from './exportFolder.ts'
import { renderThreadPage } from './pages.ts'

export type ExportServices = Pick<Services, 'db' | 'config' | 'files' | 'secrets'>

type ThreadPost = Awaited<ReturnType<typeof readThreadPosts>>['posts'][number]

export type ExportedThread = {
  id: number
  boardId: string
  title: string
  createdAt: Date
  posts: number
  isChanged: boolean
  /** pictures that were copied, and those whose files are missing */
  copied: number
  missing: number
}

const numberedImages = (row: ThreadPost) => imagesOf(row).map((image) => ({ image, number: imageNumber(row, image) }))

/**
 * Writes the files of a thread, its JSON last: if the JSON is up to date, the other files are too.
 * @returns null if the thread was deleted meanwhile
 */
export async function exportThread(
  ctx: ExportServices,
  folder: ExportFolder,
  { id, boardId: listed }: { id: number; boardId: string },
): Promise<ExportedThread | null> {
  const found = await readThreadPosts(ctx, listed, id, Number.POSITIVE_INFINITY).catch((error) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null
    throw error
  })
  if (!found) return null
  const { head, posts } = found
  // The thread can have moved since it was listed.
  const { boardId, title } = head
  await addBoardLinks(ctx, found.posts)
  const json = JSON.stringify(threadDocument(ctx, found))
  const name = `${boardId}/thread/${id}`
  const other = `${boardId}/res/${id}`
  const result = { id, boardId, title, createdAt: posts[0].createdAt, posts: posts.length, copied: 0, missing: 0 }
  if (folder.isCurrent && (await folder.contains(`${name}.json`, json))) return { ...result, isChanged: false }
  for (const { image, number } of posts.flatMap(numberedImages)) {
    for (const [file, target, alias] of [
      [image.name, `${number}${extensionOf(image)}`, `src/${number}${extensionOf(image)}`],
      [image.preview.name, `${number}s.jpg`, `thumb/${number}s.jpg`],
    ] as const) {
      if (await folder.has(`${boardId}/${alias}`)) continue
      const found = await ctx.files.read(file)
      if (!found) {
        result.missing++
        continue
      }
      await folder.copy(`${boardId}/${target}`, found.content)
      await folder.alias(`${boardId}/${target}`, `${boardId}/${alias}`)
      result.copied++
    }
  }
  await folder.write(`${name}.html`, renderThreadPage(found))
  await folder.alias(`${name}.html`, `${other}.html`)
  await folder.write(`${other}.json`, json)
  await folder.alias(`${other}.json`, `${name}.json`)
  return { ...result, isChanged: true }
}
