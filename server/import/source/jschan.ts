import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportError, type ImportedBoard, type ImportSource, type ReportProblem } from '#server/import/types.ts'
import { locateImages, sortFiles } from './files.ts'
import { readObjects } from './jsonLines.ts'
import { type Mirror, openSite } from './mirror.ts'
import { completeTimes, groupPosts, isInThread, type UndatedPost } from './times.ts'
import {
  asFlag,
  asKnownFlag,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
  isObject,
  readAuthor,
  selectBoards,
  withValidNames,
} from './values.ts'

const POSTS_FILE = 'posts.json'
const BOARDS_FILE = 'boards.json'

/** Reads the collections `posts` and `boards` as mongoexport writes them. */
export function openJschanExport(folder: string, wanted: string[], files: string | null): ImportSource {
  return {
    async boards(report) {
      const listed: ImportedBoard[] = []
      for await (const fields of readObjects(join(folder, BOARDS_FILE), report)) listed.push(...toBoards(fields))
      const found = withValidNames(listed, report)
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
  bumplocked: asKnownFlag(plain(bumplocked)),
  cyclical: asKnownFlag(plain(cyclic)),
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
  const note = asText(fields.banmessage)
  // jschan keeps the files of all boards in one folder.
  const images = at
    ? found.images.map(({ name }) => ({
        name: `file/${name}`,
        location: new URL(`file/${encodeURIComponent(name)}`, at),
      }))
    : locateImages(files, 'file', found.images)
  return {
    number,
    parent: null,
    ...readAuthor(asText(fields.name), asText(fields.tripcode), asText(fields.capcode)),
    subject: asText(fields.subject),
    body: { html: asText(fields.message), format: 'jschan' },
    otherFiles: found.others,
    // As pages of jschan show it.
    notes: note === '' ? [] : [`(USER WAS BANNED FOR THIS POST: ${note})`],
    links: [],
    time,
    spoiler: asFlag(fields.spoiler) || asObjects(fields.files).some((file) => asFlag(file.spoiler)),
    email: asText(fields.email),
    images,
  }
}

/** Returns no boards of other sites. */
function toBoards(fields: Fields): ImportedBoard[] {
  if (fields.webring === true) return []
  const settings = isObject(fields.settings) ? fields.settings : {}
  const { name: title, description, defaultName } = settings
  return [
    {
      ...{ name: asText(fields._id), title: asText(title), description: asText(description) },
      defaultName: asText(defaultName) || undefined,
    },
  ]
}

/** Copies the JSON of a jschan, and reads the copy. @param wanted names of boards; all listed boards if empty */
export const openJschanSite = (mirror: Mirror, wanted: string[]): Promise<ImportSource> =>
  openSite(mirror, wanted, {
    listOf: (page) => (page === 1 ? BOARDS_FILE : `${BOARDS_FILE}?page=${page}`),
    toBoards,
    folder: 'thread',
    numberOf: ({ postId }) => postId,
    readerOf:
      async (board) =>
      (content, { number }) => {
        if (!isObject(content) || asNumber(content.postId) !== number) return 'its file is not JSON of a thread'
        const posts = [content, ...asObjects(content.replies)].map((fields) => parsePost(fields, null, mirror.at))
        return { board, number, ...threadState(content), posts }
      },
  })
