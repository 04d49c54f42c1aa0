import { decodeEntities } from '#server/features/news/feed/xml/entities.ts'
import { ImportError, type ImportSource, type ReportProblem } from '#server/import/types.ts'
import { findVideoUrl, locateImages, type SourceFile, sortFiles } from './files.ts'
import { readSqlRows, type SqlRow } from './sqlDump.ts'
import { completeTimes, groupPosts, isInThread, type UndatedPost } from './times.ts'
import {
  asFlag,
  asKnownFlag,
  asNumber,
  asObjects,
  asSeconds,
  asText,
  asTime,
  type Fields,
  readAuthor,
  selectBoards,
  withValidNames,
} from './values.ts'

const BOARDS = 'boards'

/**
 * Reads an SQL dump of vichan's database.
 * @param files folder with the images, such as vichan's web folder; null imports no images
 */
export function openVichanDump(path: string, wanted: string[], files: string | null): ImportSource {
  /** the common prefix of all table names, or an empty string */
  let prefix = ''
  return {
    async boards(report) {
      const tables = new Map<string, SqlRow[]>()
      for await (const { table, row } of readSqlRows(path, (name) => name.endsWith(BOARDS)))
        if (row.uri !== undefined) tables.set(table, [...(tables.get(table) ?? []), row])
      const [other] = tables.keys()
      const found = tables.has(BOARDS) ? BOARDS : other
      prefix = found?.slice(0, -BOARDS.length) ?? ''
      const boards = (tables.get(found ?? '') ?? []).map(({ uri, title, subtitle }) => ({
        name: asText(uri),
        title: asText(title),
        description: asText(subtitle),
      }))
      const listed = withValidNames(boards, report)
      if (listed.length === 0 && wanted.length === 0)
        throw new ImportError(`Cannot import: ${path} has no table "boards". Name the boards after the file`)
      return selectBoards(listed, wanted)
    },
    threads(boards, report) {
      const tables = new Map(boards.map((board) => [`${prefix}posts_${board}`, board]))
      return groupPosts(completeTimes(readPosts(path, tables, files, report), report))
    },
    hasImages: files !== null,
    sharesNumbers: async () => false,
  }
}

/** Stands for bytes that are not UTF-8. */
const UNREADABLE = '\ufffd'

/** @param tables boards by the names of their tables */
async function* readPosts(
  path: string,
  tables: ReadonlyMap<string, string>,
  files: string | null,
  report: ReportProblem,
) {
  for await (const { table, row } of readSqlRows(path, (name) => tables.has(name))) {
    const board = tables.get(table) ?? ''
    const post = parseRow(row, board, files)
    const number = row.thread === null || row.thread === 0 ? asNumber(row.id) : asNumber(row.thread)
    if (post === null || number === null) {
      report(`/${board}/${row.id}`, `post left out: its ${post === null ? 'number' : 'thread'} is not valid`)
      continue
    }
    if (!isInThread(board, post.number, number, report)) continue
    if (asText(row.body).includes(UNREADABLE))
      report(`/${board}/${post.number}`, 'text with unreadable characters: in the dump, they are not in UTF-8', 'kept')
    if (post.video === null && asText(row.embed) !== '')
      report(`/${board}/${post.number}`, 'video left out: it has no URL', 'kept')
    yield { head: { board, number, ...threadState(row) }, post }
  }
}

/** `sage` of an opening post stops bumps of its thread. */
const threadState = ({ locked, sticky, bump, cycle, sage }: SqlRow) => ({
  locked: asFlag(locked),
  pinned: asFlag(sticky),
  bumpedAt: asTime(asSeconds(bump)),
  bumplocked: asKnownFlag(sage),
  cyclical: asKnownFlag(cycle),
})

/** @returns null if the number of the post is not valid */
function parseRow(row: SqlRow, board: string, files: string | null): UndatedPost | null {
  const number = asNumber(row.id)
  if (number === null) return null
  const listed = listFiles(row)
  const kept = listed.flatMap(({ file, name }): SourceFile[] =>
    asText(file) === '' || file === DELETED ? [] : [{ name: asText(file), shown: asText(name) }],
  )
  const { images, others } = sortFiles(kept)
  return {
    number,
    parent: null,
    ...readAuthor(asText(row.name), asText(row.trip), asText(row.capcode)),
    subject: asText(row.subject),
    body: { html: asText(row.body), format: 'vichan' },
    otherFiles: others,
    notes: listBanNotes(asText(row.body_nomarkup)),
    links: [],
    video: findVideoUrl(asText(row.embed)),
    time: asTime(asSeconds(row.time)),
    spoiler: listed.some(({ thumb }) => thumb === 'spoiler'),
    email: asText(row.email),
    fileDeleted: kept.length === 0 && listed.some(({ file }) => file === DELETED),
    images: locateImages(files, board, images),
  }
}

/**
 * A moderator's public note of a ban or warning. Pages of vichan show it below the text, in parentheses. It contains no
 * other tag of this kind, so a note without an end is read only once.
 */
const BAN_NOTE = /<tinyboard (?:ban|warning) message>((?:(?!<tinyboard ).)+?)<\/tinyboard>/gs

const listBanNotes = (body: string): string[] =>
  [...body.matchAll(BAN_NOTE)].map(([, note = '']) => `(${decodeEntities(note)})`)

/** The name of a deleted file. */
const DELETED = 'deleted'

/**
 * The column `files` contains JSON. Tinyboard and early versions of vichan have one file, in the column `file`.
 */
const listFiles = ({ files, file, filename, thumb }: SqlRow): Fields[] =>
  files === undefined ? [{ file, name: filename, thumb }] : parseFiles(asText(files))

function parseFiles(text: string): Fields[] {
  try {
    return asObjects(JSON.parse(text || '[]'))
  } catch {
    return []
  }
}
