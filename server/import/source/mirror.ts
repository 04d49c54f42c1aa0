import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { type Fetcher, FetchFailed } from '#server/core/http/fetcher.ts'
import { ImportError, type ImportedBoard, type ImportSource, type ReportProblem } from '#server/import/types.ts'
import { openFolder, openFolderOfThreads, toBoard, type UndatedThread } from './fourchan.ts'
import { readPolitely } from './readPolitely.ts'
import { asNumber, asObjects, type Fields, isObject, parseJson, selectBoards, withValidNames } from './values.ts'

const MAX_JSON_BYTES = 64 * 1024 * 1024

export type Mirror = {
  fetcher: Fetcher
  /** URL of the old site; its path ends with a slash */
  at: URL
  folder: string
  report: ReportProblem
  progress: (line: string) => void
}

export const openMirror = (mirror: Omit<Mirror, 'at'>, address: string): Mirror => {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new ImportError(`Cannot import: ${address} is not a URL`)
  const at = new URL(address)
  at.search = at.hash = ''
  if (!at.pathname.endsWith('/')) at.pathname += '/'
  return { ...mirror, at }
}

/** Reads JSON of the old site. Returns null if it is missing or is not JSON. */
async function readRemoteJson({ fetcher, at }: Mirror, path: string): Promise<unknown> {
  const answer = await readPolitely(fetcher, new URL(path, at), { maxBytes: MAX_JSON_BYTES })
  try {
    return answer && parseJson(answer.bytes.toString())
  } catch {
    return null
  }
}

/** Copies a file of the old site into the mirror's folder. Asks only for a file that changed since the last copy. */
async function copyFile({ fetcher, at, folder }: Mirror, path: string): Promise<void> {
  const target = join(folder, path)
  const copied = await stat(target).catch(() => null)
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), at)
  const answer = await readPolitely(fetcher, url, { maxBytes: MAX_JSON_BYTES, since: copied?.mtime })
  if (!answer) return
  await mkdir(dirname(target), { recursive: true })
  await writeFile(`${target}.part`, answer.bytes)
  const modified = new Date(String(answer.headers['last-modified']))
  if (!Number.isNaN(modified.getTime())) await utimes(`${target}.part`, modified, modified)
  await rename(`${target}.part`, target)
}

/**
 * Copies the files of threads that are new or have changed, and deletes the copies of threads that the old site no longer
 * lists: a moderator can have deleted them. Asks for every thread: lists of vichan have only the time of
 * the last bump, which a later `sage` post does not change.
 */
async function copyThreads(mirror: Mirror, board: string, kind: 'res' | 'thread', numbers: number[]): Promise<void> {
  const folder = join(mirror.folder, board, kind)
  const listed = new Set(numbers.map((number) => `${number}.json`))
  for (const name of (await readdir(folder).catch(nullIfMissing)) ?? []) {
    if (!listed.has(name)) await rm(join(folder, name), { force: true })
  }
  for (const [index, number] of numbers.sort((a, b) => a - b).entries()) {
    mirror.progress(`/${board}/: thread ${index + 1} of ${numbers.length}`)
    await copyFile(mirror, `${board}/${kind}/${number}.json`).catch((error) => {
      if (!(error instanceof FetchFailed)) throw error
      mirror.report(`/${board}/${number}`, `thread left out: the old site failed: ${error.message}`)
    })
  }
}

/** Limits the requests for a list of boards that never ends. */
const MAX_BOARD_PAGES = 200
const BOARDS_FILE = 'boards.json'

/** How a site lists its boards and threads. */
type Listing = {
  /** path of a page of the list of boards */
  listOf: (page: number) => string
  toBoards: (fields: Fields) => ImportedBoard[]
  /** files of a board that list its threads, of which it has one; by default the catalog */
  lists?: string[]
  /** folder of the threads of a board */
  folder: 'res' | 'thread'
  /** the number of a thread in the list */
  numberOf: (fields: Fields) => unknown
}

/** Copies boards, their catalogs and threads. */
async function copyListedBoards(mirror: Mirror, wanted: string[], listing: Listing): Promise<void> {
  const listed = await readBoardPages(mirror, listing.listOf)
  await writeCopy(mirror, BOARDS_FILE, listed)
  const names = withValidNames(listed.flatMap(listing.toBoards), () => {}).map(({ name }) => name)
  const boards = wanted.length > 0 ? wanted : names
  if (boards.length === 0)
    throw new ImportError(`Cannot import: ${mirror.at.href} has no ${listing.listOf(1)}. Name the boards after the URL`)
  for (const board of boards) {
    const list = await copyThreadList(mirror, board, listing.lists ?? ['catalog.json'])
    if (!list) {
      mirror.report(`/${board}/`, 'board left out: the old site has no list of its threads')
      continue
    }
    // Lists of vichan have pages.
    const threads = list.flatMap((one) => (Array.isArray(one.threads) ? asObjects(one.threads) : [one]))
    const numbers = threads.flatMap((fields) => asNumber(listing.numberOf(fields)) ?? [])
    await copyThreads(mirror, board, listing.folder, numbers)
  }
}

async function copyThreadList(mirror: Mirror, board: string, names: string[]): Promise<Fields[] | null> {
  for (const name of names) {
    const list = await readRemoteJson(mirror, `${encodeURIComponent(board)}/${name}`)
    if (!Array.isArray(list)) continue
    await writeCopy(mirror, `${board}/${name}`, list)
    return asObjects(list)
  }
  return null
}

async function readBoardPages(mirror: Mirror, listOf: Listing['listOf']): Promise<Fields[]> {
  const boards: Fields[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_BOARD_PAGES); page++) {
    const content = await readRemoteJson(mirror, listOf(page))
    // vichan has only a list. LynxChan wraps its answer.
    const answer = isObject(content) ? content : { boards: content }
    const list = isObject(answer.data) ? answer.data : answer
    boards.push(...asObjects(list.boards))
    pages = asNumber(list.maxPage ?? list.pageCount) ?? 1
  }
  return boards
}

async function writeCopy({ folder }: Mirror, path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), JSON.stringify(content))
}

/** @returns null if there is no valid copy: a killed run can leave half of one */
export const readCopied = ({ folder }: Mirror, path: string): Promise<unknown> =>
  readFile(join(folder, path), 'utf8')
    .then(parseJson)
    .catch(() => null)

type ThreadReader = (content: unknown, place: { number: number }) => UndatedThread | string

/**
 * Copies the JSON of a site, and reads the copy.
 * @param wanted names of boards; all listed boards if empty
 * @param site.readerOf a board's reader returns why a thread is left out, as a text
 */
export async function openSite(
  mirror: Mirror,
  wanted: string[],
  { readerOf, ...listing }: Listing & { readerOf: (board: string) => Promise<ThreadReader> },
): Promise<ImportSource> {
  await copyListedBoards(mirror, wanted, listing)
  return {
    boards: async (report) =>
      selectBoards(
        withValidNames(asObjects(await readCopied(mirror, BOARDS_FILE)).flatMap(listing.toBoards), report),
        wanted,
      ),
    async *threads(boards, report) {
      for (const board of boards) yield* openFolderOfThreads(mirror.folder, [board], await readerOf(board), report)
    },
    hasImages: true,
    sharesNumbers: async () => false,
  }
}

/** Copies the JSON of a vichan, and reads the copy. @param wanted names of boards; all listed boards if empty */
export async function openVichanSite(mirror: Mirror, wanted: string[]): Promise<ImportSource> {
  await copyListedBoards(mirror, wanted, {
    listOf: () => BOARDS_FILE,
    toBoards: (fields) => [toBoard(fields)],
    lists: ['threads.json', 'catalog.json'],
    folder: 'res',
    numberOf: ({ no }) => no,
  })
  return openFolder(mirror.folder, wanted, { isVichan: true, imagesAt: mirror.at })
}
