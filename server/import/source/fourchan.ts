import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { readOwnSettings } from '#server/features/board/fourchan/boardsDocument.ts'
import { readOwnColumns } from '#server/features/board/fourchan/fourchanPosts.ts'
import { placeOfImage } from '#server/features/board/fourchan/imageNumber.ts'
import { decodeEntities } from '#server/features/news/feed/xml/entities.ts'
import {
  ImportError,
  type ImportedBoard,
  type ImportedPost,
  type ImportedThread,
  type ImportSource,
  type ReportProblem,
} from '#server/import/types.ts'
import { findVideoUrl, locateImages, type SourceFile, sortFiles } from './files.ts'
import { completeTimes, isInThread, type UndatedPost } from './times.ts'
import {
  asFlag,
  asKnownFlag,
  asNumber,
  asObjects,
  asSeconds,
  asText,
  asTime,
  type Fields,
  isBoardName,
  isObject,
  parseJson,
  readAuthor,
  selectBoards,
  withValidNames,
} from './values.ts'

type FolderOptions = {
  /** the folder is a copy of vichan's JSON */
  isVichan?: boolean
  /** images that are not in the folder are at `{board}/src/{name}` under this URL */
  imagesAt?: URL
}

const LAYOUT =
  'threads are files {board}/thread/{number}.json, {board}/res/{number}.json or {board}/{number}/{number}.json'

/**
 * Reads a folder with files as in the API of 4chan (`{board}/thread/{no}.json`) or vichan (`{board}/res/{no}.json`), or
 * as the BASC-Archiver saves them (`{board}/{no}/{no}.json`).
 */
export function openFolder(folder: string, wanted: string[], options: FolderOptions = {}): ImportSource {
  return {
    boards: async (report) => {
      const listed = withValidNames((await listBoardFile(folder)).map(toBoard), report)
      const names = wanted.length > 0 || listed.length > 0 ? wanted : await findBoards(folder)
      const boards = selectBoards(listed, names)
      // A copy of an old site that has no threads yet is no mistake in the layout.
      if (options.imagesAt === undefined && !(await hasThreads(folder, boards)))
        throw new ImportError(`Cannot import: ${folder} has no threads. In this format, ${LAYOUT}`)
      return boards
    },
    threads: (boards, report) =>
      openFolderOfThreads(
        folder,
        boards,
        (content, place) => parseThread(content, { ...place, report, options }),
        report,
      ),
    hasImages: true,
    // Only this site's export has the text of a post.
    sharesNumbers: async () => isOwnPost((await readFirstPost(folder, wanted)) ?? {}),
  }
}

async function readFirstPost(folder: string, wanted: string[]): Promise<Fields | null> {
  for (const board of wanted.length > 0 ? wanted : await findBoards(folder)) {
    for (const { path } of await listThreads(folder, board)) {
      const content = await readJson(path).catch(() => null)
      const [opening] = isObject(content) ? asObjects(content.posts) : []
      if (opening) return opening
    }
  }
  return null
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(nullIfMissing)
  return text === null ? null : parseJson(text)
}

/** `boards.json` of 4chan has an object with a list, that of vichan has the list itself. */
async function listBoardFile(folder: string): Promise<Fields[]> {
  const content = await readJson(join(folder, 'boards.json')).catch(() => null)
  return asObjects(isObject(content) ? content.boards : content)
}

export function toBoard(board: Fields): ImportedBoard {
  const name = asText(board.board ?? board.uri)
  const text = (value: unknown) => decodeEntities(asText(value))
  const description = asText(board.dtp_description) || text(board.meta_description) || text(board.subtitle)
  const isOwn = typeof board.dtp_rules === 'string'
  const own = isOwn && {
    defaultName: asText(board.dtp_default_name),
    settings: { posterLabels: asFlag(board.user_ids), ...readOwnSettings(board) },
  }
  return { name, title: text(board.title), description, rules: asText(board.dtp_rules), ...own }
}

async function findBoards(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)
  if (!entries) throw new ImportError(`Cannot import: the folder ${folder} does not exist`)
  const names: string[] = []
  for (const { name } of entries.filter((entry) => entry.isDirectory() && isBoardName(entry.name))) {
    if ((await listThreads(folder, name)).length > 0) names.push(name)
  }
  return names.sort()
}

async function hasThreads(folder: string, boards: ImportedBoard[]): Promise<boolean> {
  for (const { name } of boards) if ((await listThreads(folder, name)).length > 0) return true
  return false
}

/** `images` is the folder with the images of the thread. */
type ThreadPath = { path: string; number: number; images: string }

async function listThreads(folder: string, board: string): Promise<ThreadPath[]> {
  const found = new Map<number, ThreadPath>()
  for (const name of (await readdir(join(folder, board)).catch(nullIfMissing)) ?? []) {
    const number = asNumber(name)
    const inside = join(folder, board, name)
    const path = join(inside, `${name}.json`)
    if (number === null || !(await exists(path))) continue
    const images = join(inside, 'images')
    found.set(number, { path, number, images: (await exists(images)) ? images : inside })
  }
  for (const name of ['res', 'thread']) {
    const inside = join(folder, board, name)
    for (const file of (await readdir(inside).catch(nullIfMissing)) ?? []) {
      const number = asNumber(/^(\d+)\.json$/.exec(file)?.[1])
      if (number !== null) found.set(number, { path: join(inside, file), number, images: folder })
    }
  }
  return [...found.values()].sort((a, b) => a.number - b.number)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

type Place = { board: string; number: number; images: string }
/** A post whose number is not valid is null. */
export type UndatedThread = Omit<ImportedThread, 'posts'> & { posts: (UndatedPost | null)[] }

/**
 * Reads the threads of boards from the files `{board}/thread/{number}.json` or `{board}/res/{number}.json`.
 * @param parse returns why a thread is left out, as a text
 */
export async function* openFolderOfThreads(
  folder: string,
  boards: string[],
  parse: (content: unknown, place: Place) => UndatedThread | string,
  report: ReportProblem,
): AsyncGenerator<ImportedThread> {
  for (const board of boards) {
    for (const { path, number, images } of await listThreads(folder, board)) {
      const read = parse(await readJson(path).catch(() => null), { board, number, images })
      const thread = typeof read === 'string' ? read : await completeThread(read, report)
      if (typeof thread === 'string') report(`/${board}/${number}`, `thread left out: ${thread}`)
      else yield thread
    }
  }
}

/** Sorts the posts, and gives all of them a time. @returns why the thread is left out, as a text */
async function completeThread(thread: UndatedThread, report: ReportProblem): Promise<ImportedThread | string> {
  const { board, number } = thread
  const own: UndatedPost[] = []
  for (const post of thread.posts) {
    if (post === null) report(`/${board}/${number}`, 'post left out: its number is not valid')
    else if (isInThread(board, post.number, number, report)) own.push(post)
  }
  own.sort((a, b) => a.number - b.number)
  const posts: ImportedPost[] = []
  for await (const { post } of completeTimes(
    own.map((post) => ({ head: { board }, post })),
    report,
  ))
    posts.push(post)
  return posts[0]?.number === number ? { ...thread, posts } : 'its opening post is not valid'
}

/** A link to a post in an export of this site. */
const QUOTE_LINK = /#p(\d{1,15})" class="quotelink"/g
/** An export of this site has the source of its texts. */
const isOwnPost = ({ dtp_text }: Fields) => typeof dtp_text === 'string'
/** In the files of threads, only vichan has this field: the time of the last bump. */
const isVichan = (opening: Fields | undefined) => opening?.last_modified !== undefined && !isOwnPost(opening)

type ThreadFile = Place & { report: ReportProblem; options: FolderOptions }
type PostFile = ThreadFile & { format: 'vichan' | '4chan' }

function parseThread(content: unknown, file: ThreadFile): UndatedThread | string {
  const { board, number } = file
  const fields = isObject(content) ? asObjects(content.posts) : []
  const opening = fields.find(({ no }) => asNumber(no) === number)
  if (!opening) return 'its file is not JSON of a thread'
  const format = file.options.isVichan || isVichan(opening) ? 'vichan' : '4chan'
  const posts = fields.map((one) => parsePost(one, { ...file, format }))
  const isOwn = isOwnPost(opening)
  const archivedAt = asFlag(opening.archived) ? (asTime(asSeconds(opening.archived_on)) ?? new Date()) : null
  // An archived thread is closed, too.
  const locked = asFlag(archivedAt ? opening.locked : (opening.closed ?? opening.locked))
  // Exports of this site omit a flag that is off. Other sites may not know the flag.
  const asOwnFlag = isOwn ? asFlag : asKnownFlag
  const bumpedAt = asTime(isVichan(opening) ? asSeconds(opening.last_modified) : Number(opening.dtp_bumped))
  const isPastLimit = asFlag(opening.bumplimit) && !isOwn
  const lost =
    isPastLimit && bumpedAt === null ? ['placed by its newest post: the source has no time of its last bump'] : []
  const flags = {
    ...{ locked, pinned: asFlag(opening.sticky) },
    ...{ bumplocked: asOwnFlag(opening.dtp_bumplocked), cyclical: asOwnFlag(opening.cyclical) },
  }
  return { board, number, ...flags, archivedAt, bumpedAt, lost, posts }
}

function parsePost(fields: Fields, file: PostFile): UndatedPost | null {
  const { images, board, report, options, format } = file
  const number = asNumber(fields.no)
  const time = asTime(Number.isFinite(fields.dtp_time) ? Number(fields.dtp_time) : asSeconds(fields.time))
  if (number === null) return null
  const embed = asText(fields.embed)
  const video = findVideoUrl(embed)
  if (embed !== '' && video === null) report(`/${board}/${number}`, 'video left out: it has no URL', 'kept')
  const isOwn = isOwnPost(fields)
  const text = (value: unknown) => decodeEntities(asText(value))
  const files = sortFiles(listFiles(fields))
  return {
    number,
    parent: asNumber(fields.dtp_parent),
    ...readAuthor(text(fields.name), text(fields.trip), text(fields.capcode)),
    subject: text(fields.sub),
    body: isOwn ? { text: asText(fields.dtp_text) } : { html: asText(fields.com), format },
    otherFiles: files.others.map(decodeEntities),
    notes: [fields.ban_msg, fields.warning_msg].flatMap((note) => (text(note) === '' ? [] : `(${text(note)})`)),
    links: Array.isArray(fields.dtp_links) ? fields.dtp_links.filter((link) => typeof link === 'string') : [],
    linked: isOwn ? [...asText(fields.com).matchAll(QUOTE_LINK)].flatMap(([, linked]) => asNumber(linked) ?? []) : [],
    video,
    time,
    spoiler: asFlag(fields.spoiler) || asObjects(fields.files).some((file) => asFlag(file.spoiler)),
    email: asText(fields.email),
    fileDeleted: asFlag(fields.filedeleted) || fields.ext === 'deleted',
    own: isOwn ? readOwnColumns(fields) : {},
    ...(typeof fields.dtp_trip_proof === 'string' &&
      time !== null && {
        signed: {
          ...{ board, number, time: time.getTime(), author: text(fields.name), text: asText(fields.dtp_text) },
          ...{ tripcode: asText(fields.trip), proof: fields.dtp_trip_proof },
        },
      }),
    images: locateImages(images, board, files.images, options.imagesAt).map((image, index) => ({
      ...image,
      place:
        isOwn && time !== null
          ? placeOfImage(Number(files.images[index]?.tim), { id: number, createdAt: time })
          : undefined,
    })),
  }
}

/** vichan lists the second and later files in `extra_files`, and a fork of it lists all in `files`, with their paths. */
function listFiles(fields: Fields): (SourceFile & { tim: unknown })[] {
  const byPath = asObjects(fields.files).flatMap(({ file_path, filename }) => {
    const name = asText(file_path).split('/').at(-1) ?? ''
    const [ext] = /\.\w+$/.exec(name) ?? []
    return ext === undefined ? [] : [{ name, tim: undefined, shown: asText(filename) && asText(filename) + ext }]
  })
  const byNumber = [fields, ...asObjects(fields.extra_files)].flatMap(({ tim, ext, filename, filedeleted }) => {
    const name = `${typeof tim === 'number' || typeof tim === 'string' ? tim : ''}${asText(ext)}`
    const given = typeof filename === 'number' ? String(filename) : asText(filename)
    const shown = given && `${given}${asText(ext)}`
    // vichan writes `deleted` as the extension of a deleted file.
    return !asText(ext).startsWith('.') || asFlag(filedeleted) ? [] : [{ name, tim, shown }]
  })
  return [...byNumber, ...byPath]
}
