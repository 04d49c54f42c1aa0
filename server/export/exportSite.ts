import { asc, gt } from 'drizzle-orm'
import { thread } from '#db/schema/index.ts'
import { listBoards } from '#server/features/board/boards/boards.ts'
import { createBoardsDocument } from '#server/features/board/fourchan/boardsDocument.ts'
import {
  createArchiveDocument,
  createCatalogDocument,
  createPageDocument,
  createThreadListDocument,
  LISTED,
  PAGES,
} from '#server/features/board/fourchan/documents.ts'
import { readOrderedThreads } from '#server/features/board/read/threadRows.ts'
import { type ExportFolder, openExportFolder } from './exportFolder.ts'
import { type ExportedThread, type ExportServices, exportThread } from './exportThread.ts'
import { partName, renderBoardPage, renderIndexPage, renderPartPage, STYLES, type ThreadEntry } from './pages.ts'
import { removeStaleFiles } from './removeStaleFiles.ts'

type Options = { signal: AbortSignal; progress: (line: string) => void }
type ExportResult = { threads: number; changed: number; posts: number; pictures: number; missing: number }

const BATCH = 500
/** Threads that are read at the same time: while one waits for the disk, another one waits for the database. */
const CONCURRENCY = 4
const THREADS_PER_PART = 200

/**
 * Writes all boards to a folder. Writes threads before the lists that name them, and removes the files of deleted
 * threads last. Memory does not depend on the number of threads.
 */
export async function exportSite(ctx: ExportServices, path: string, options: Options): Promise<ExportResult> {
  const folder = await openExportFolder(path)
  await folder.begin()
  await folder.write('style.css', STYLES)
  const result: ExportResult = { threads: 0, changed: 0, posts: 0, pictures: 0, missing: 0 }
  const parts = createPartWriter(folder)
  for await (const exported of exportThreads(ctx, folder, options)) {
    await parts.add(exported)
    result.threads++
    result.posts += exported.posts
    result.pictures += exported.copied
    result.missing += exported.missing
    if (exported.isChanged) result.changed++
    options.progress(`${result.threads.toLocaleString('en')} threads, ${result.posts.toLocaleString('en')} posts`)
  }
  const counts = await parts.finish()
  await writeLists(ctx, folder, counts, options)
  await removeStaleFiles(ctx, folder, counts, options.signal)
  await folder.finish()
  return result
}

/** Reads threads by number: an index on the number serves all boards. */
async function* exportThreads(
  ctx: ExportServices,
  folder: ExportFolder,
  { signal }: Options,
): AsyncGenerator<ExportedThread> {
  for (let last = 0; ; ) {
    const rows = await ctx.db
      .select({ id: thread.id, boardId: thread.boardId, deletedAt: thread.deletedAt })
      .from(thread)
      .where(gt(thread.id, last))
      .orderBy(asc(thread.id))
      .limit(BATCH)
    const existing = rows.filter(({ deletedAt }) => deletedAt === null)
    for (let at = 0; at < existing.length; at += CONCURRENCY) {
      signal.throwIfAborted()
      const group = existing.slice(at, at + CONCURRENCY)
      for (const exported of await Promise.all(group.map((row) => exportThread(ctx, folder, row)))) {
        if (exported) yield exported
      }
    }
    last = rows.at(-1)?.id ?? last
    if (rows.length < BATCH) return
  }
}

/** Writes the pages that list all threads of a board. Holds only the threads of one page per board. */
function createPartWriter(folder: ExportFolder) {
  const open = new Map<string, ThreadEntry[]>()
  /** complete pages by board */
  const counts = new Map<string, number>()

  async function write(boardId: string, threads: ThreadEntry[]): Promise<void> {
    const part = (counts.get(boardId) ?? 0) + 1
    counts.set(boardId, part)
    await folder.write(`${boardId}/${partName(part)}`, renderPartPage(boardId, part, threads))
  }

  return {
    async add({ boardId, id, title, createdAt, posts }: ExportedThread): Promise<void> {
      const threads = open.get(boardId) ?? []
      threads.push({ id, title, createdAt, posts })
      open.set(boardId, threads)
      if (threads.length < THREADS_PER_PART) return
      open.delete(boardId)
      await write(boardId, threads)
    },
    async finish(): Promise<ReadonlyMap<string, number>> {
      for (const [boardId, threads] of open) await write(boardId, threads)
      return counts
    },
  }
}

async function writeLists(
  ctx: ExportServices,
  folder: ExportFolder,
  parts: ReadonlyMap<string, number>,
  { signal }: Options,
): Promise<void> {
  const boards = await listBoards(ctx)
  for (const board of boards) {
    const { id } = board
    signal.throwIfAborted()
    const write = (name: string, document: unknown) => folder.write(`${id}/${name}.json`, JSON.stringify(document))
    await write('threads', await createThreadListDocument(ctx, id))
    await write('catalog', await createCatalogDocument(ctx, id))
    await write('archive', await createArchiveDocument(ctx, id))
    for (let page = 0; page <= PAGES; page++) await write(String(page), await createPageDocument(ctx, id, page))
    const threads = await readOrderedThreads(ctx, id, { ...LISTED, answers: 0 })
    const entries = threads.map(({ head, opening }) => ({
      id: head.id,
      title: head.title,
      createdAt: opening.createdAt,
      posts: 1 + head.commentCount + head.replyCount,
    }))
    await folder.write(`${id}/index.html`, renderBoardPage(board, entries, parts.get(id) ?? 0))
  }
  await folder.write('boards.json', JSON.stringify(await createBoardsDocument(ctx)))
  await folder.write('index.html', renderIndexPage(boards))
}
