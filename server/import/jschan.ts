import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolderOfThreads } from './fourchan.ts'
import { locateImages, sortFiles } from './images.ts'
import { readObjects } from './jsonLines.ts'
import { copyThreads, type Mirror, readRemoteJson } from './mirror.ts'
import { groupPosts } from './parts.ts'
import { completeTimes, isInThread, type UndatedPost } from './times.ts'
import { ImportError, type ImportedBoard, type ImportSource, type ReportProblem } from './types.ts'
import {
  asFlag,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
  isBoardName,
  isObject,
  isSage,
  joinAuthor,
  selectBoards,
} from './values.ts'

/** Limits the requests for a list of boards that never ends. */
const MAX_BOARD_PAGES = 200
const POSTS_FILE = 'posts.json'
const BOARDS_FILE = 'boards.json'

/** Reads the collections `posts` and `boards` as mongoexport writes them. */
export function openJschanExport(folder: string, wanted: string[], files: string | null): ImportSource {
  return {
    async boards(report) {
      const found: ImportedBoard[] = []
      for await (const fields of readObjects(join(folder, BOARDS_FILE), report)) found.push(...toBoard(fields, report))
      if (found.length === 0 && wanted.length === 0)
        throw new ImportError(`Cannot import: ${join(folder, BOARDS_FILE)} is missing or names no boards`)
      return selectBoards(found, wanted)
    },
    threads: (boards, report) => groupPosts(completeTimes(readPosts(folder, new Set(boards), files, report), report)),
    hasImages: files !== null,
    sharesNumbers: async () => false,
  }
}

async function* readPosts(folder: string, boards: Set<string>, files: string | null, report: ReportProblem) {
  const path = join(folder, POSTS_FILE)
  await access(path).catch(() => {
    throw new ImportError(`Cannot import: ${path} is missing. Write it with mongoexport --collection posts`)
  })
  for await (const fields of readObjects(path, report)) {
    const board = asText(fields.board)
    if (!boards.has(board)) continue
    const post = parsePost(fields, files)
    const thread = asNumber(plain(fields.thread))
    if (post === null) {
      report(`/${board}/${thread ?? ''}`, 'post left out: its number is not valid')
      continue
    }
    const number = thread ?? post.number
    if (isInThread(board, post.number, number, report)) yield { head: { board, number, ...threadState(fields) }, post }
  }
}

const threadState = ({ locked, sticky, bumped, bumplocked, cyclic }: Fields) => ({
  locked: asFlag(plain(locked)),
  pinned: asFlag(plain(sticky)),
  bumpedAt: asDate(bumped),
  bumplocked: asFlag(plain(bumplocked)),
  cyclical: asFlag(plain(cyclic)),
})

function asDate(value: unknown): Date | null {
  const date = plain(value)
  return asTime(typeof date === 'string' && !/^\d+$/.test(date) ? Date.parse(date) : Number(date ?? Number.NaN))
}

/** Returns the value of MongoDB's extended JSON, such as `{"$numberInt": "5"}` or `{"$date": "…"}`. */
function plain(value: unknown): unknown {
  if (!isObject(value)) return value
  const { $numberInt, $numberLong, $date } = value
  return $date === undefined ? ($numberInt ?? $numberLong) : plain($date)
}

/** @param at URL of the old site @returns null if the number of the post is not valid */
function parsePost(fields: Fields, files: string | null, at?: URL): UndatedPost | null {
  const number = asNumber(plain(fields.postId))
  const time = asDate(fields.date)
  if (number === null) return null
  const found = sortFiles(
    asObjects(fields.files).map(({ filename, originalFilename }) => ({
      name: asText(filename),
      shown: asText(originalFilename),
    })),
  )
  const names = found.images.map(({ name }) => name)
  const note = asText(fields.banmessage)
  // jschan keeps the files of all boards in one folder.
  const images = at
    ? names.map((name) => ({ name: `file/${name}`, location: new URL(`file/${encodeURIComponent(name)}`, at) }))
    : files === null
      ? []
      : locateImages(files, 'file', names)
  return {
    number,
    parent: null,
    ...joinAuthor(asText(fields.name), asText(fields.tripcode), asText(fields.capcode)),
    subject: asText(fields.subject),
    body: { html: asText(fields.message), format: 'jschan' },
    otherFiles: found.others,
    // As pages of jschan show it.
    notes: note === '' ? [] : [`(USER WAS BANNED FOR THIS POST: ${note})`],
    links: [],
    time,
    spoiler: asFlag(fields.spoiler) || asObjects(fields.files).some((file) => asFlag(file.spoiler)),
    sage: isSage(fields.email),
    images,
  }
}

function toBoard(fields: Fields, report: ReportProblem): ImportedBoard[] {
  const name = asText(fields._id)
  if (fields.webring === true) return []
  if (!isBoardName(name)) {
    report(`/${name}/`, 'board left out: its name is not valid')
    return []
  }
  const settings = isObject(fields.settings) ? fields.settings : {}
  return [{ name, title: asText(settings.name), description: asText(settings.description) }]
}

/** Reads a mirror of jschan's JSON. */
export function openJschanMirror({ folder, at }: Mirror, wanted: string[]): ImportSource {
  return {
    async boards(report) {
      const text = await readFile(join(folder, BOARDS_FILE), 'utf8').catch(() => '[]')
      return selectBoards(
        asObjects(JSON.parse(text)).flatMap((fields) => toBoard(fields, report)),
        wanted,
      )
    },
    threads: (boards, report) =>
      openFolderOfThreads(
        folder,
        boards,
        (content, { board, number }) => {
          if (!isObject(content) || asNumber(content.postId) !== number) return 'its file is not JSON of a thread'
          const posts: UndatedPost[] = []
          for (const fields of [content, ...asObjects(content.replies)]) {
            const post = parsePost(fields, null, at)
            if (post === null) report(`/${board}/${number}`, 'post left out: its number is not valid')
            else posts.push(post)
          }
          return { board, number, ...threadState(content), posts }
        },
        report,
      ),
    hasImages: true,
    sharesNumbers: async () => false,
  }
}

/** Copies the boards and threads of jschan's JSON. @param wanted names of boards; all listed boards if empty */
export async function copyJschan(mirror: Mirror, wanted: string[]): Promise<void> {
  await mkdir(mirror.folder, { recursive: true })
  const listed = await readBoardPages(mirror)
  await writeFile(join(mirror.folder, BOARDS_FILE), JSON.stringify(listed))
  const boards =
    wanted.length > 0 ? wanted : listed.flatMap((fields) => toBoard(fields, () => {})).map(({ name }) => name)
  if (boards.length === 0)
    throw new ImportError(`Cannot import: ${mirror.at.href} has no boards.json. Name the boards after the URL`)
  for (const board of boards) {
    const catalog = await readRemoteJson(mirror, `${encodeURIComponent(board)}/catalog.json`)
    if (!Array.isArray(catalog)) {
      mirror.report(`/${board}/`, 'board left out: the old site has no catalog of it')
      continue
    }
    await copyThreads(
      mirror,
      board,
      'thread',
      asObjects(catalog).flatMap(({ postId }) => asNumber(postId) ?? []),
    )
  }
}

async function readBoardPages(mirror: Mirror): Promise<Fields[]> {
  const boards: Fields[] = []
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_BOARD_PAGES); page++) {
    const content = await readRemoteJson(mirror, page === 1 ? 'boards.json' : `boards.json?page=${page}`)
    if (!isObject(content)) break
    boards.push(...asObjects(content.boards))
    pages = asNumber(content.maxPage) ?? 1
  }
  return boards
}
