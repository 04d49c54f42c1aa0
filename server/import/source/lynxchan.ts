import { decodeEntities } from '#server/features/news/feed/xml/entities.ts'
import type { ImportedBoard, ImportSource } from '#server/import/types.ts'
import { sortFiles } from './files.ts'
import { type Mirror, openSite, readCopied } from './mirror.ts'
import type { UndatedPost } from './times.ts'
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
} from './values.ts'

/** LynxChan keeps the files of all boards in one folder. */
const MEDIA_FOLDER = '.media'

/** Copies the JSON of a LynxChan, and reads the copy. @param wanted names of boards; all listed boards if empty */
export const openLynxchanSite = (mirror: Mirror, wanted: string[]): Promise<ImportSource> =>
  openSite(mirror, wanted, {
    listOf: (page) => `boards.js?json=1&page=${page}`,
    toBoards,
    folder: 'res',
    numberOf: ({ threadId }) => threadId,
    async readerOf(board) {
      // Only the catalog has the time of the last bump.
      const catalog = asObjects(await readCopied(mirror, `${board}/catalog.json`))
      const bumps = new Map(catalog.map(({ threadId, lastBump }) => [asNumber(threadId), asDate(lastBump)]))
      return (content, { number }) => {
        if (!isObject(content) || asNumber(content.threadId) !== number) return 'its file is not JSON of a thread'
        const fields = [{ ...content, postId: number }, ...asObjects(content.posts)]
        const posts = fields.map((one) => parsePost(one, mirror.at))
        return { board, number, ...threadState(content), bumpedAt: bumps.get(number) ?? null, posts }
      }
    },
  })

const threadState = ({ locked, pinned, archived, cyclic, autoSage }: Fields) => ({
  locked: asFlag(locked),
  pinned: asFlag(pinned),
  archivedAt: asFlag(archived) ? new Date() : null,
  bumplocked: asKnownFlag(autoSage),
  cyclical: asKnownFlag(cyclic),
})

const asDate = (value: unknown) => asTime(Date.parse(asText(value)))

/** @returns null if the number of the post is not valid */
function parsePost(fields: Fields, at: URL): UndatedPost | null {
  const number = asNumber(fields.postId)
  if (number === null) return null
  const files = asObjects(fields.files)
  const { images, others } = sortFiles(
    files.map(({ path, originalName }) => ({
      name: asText(path).split('/').at(-1) ?? '',
      shown: asText(originalName),
      location: locateFile(asText(path), at),
    })),
  )
  const elsewhere = images.flatMap(({ name, shown, location }) => (location ? [] : shown || name))
  const note = asText(fields.banMessage)
  return {
    number,
    parent: null,
    ...parseAuthor(decodeEntities(asText(fields.name)), asText(fields.signedRole)),
    subject: decodeEntities(asText(fields.subject)),
    // Pages of LynxChan show line breaks in the source, like those of jschan.
    body: { html: asText(fields.markdown), format: 'jschan' },
    otherFiles: [...others, ...elsewhere].map(decodeEntities),
    notes: note === '' ? [] : [note],
    links: [],
    time: asDate(fields.creation),
    spoiler: files.some(({ thumb }) => SPOILER.test(asText(thumb))),
    email: asText(fields.email),
    images: images.flatMap(({ name, location }) => (location ? { name: `${MEDIA_FOLDER}/${name}`, location } : [])),
  }
}

/** The picture that a board shows instead of a thumbnail. */
const SPOILER = /\/(?:custom\.)?spoiler(?:\.\w+)?$/
/** A code behind the name: `#` is that of a secret, `##` that of a secret that only the old site knows. */
const TRIPCODE = /^(.*?)#{1,2}([A-Za-z0-9+/]{6})$/

function parseAuthor(author: string, role: string) {
  const [, name = author, tripcode = ''] = TRIPCODE.exec(author) ?? []
  return readAuthor(name, tripcode, role)
}

/** @returns null for a file on another host: only the host that the operator has named may be in a private network */
function locateFile(path: string, at: URL): URL | null {
  const location = URL.canParse(path, at) ? new URL(path, at) : null
  return location?.origin === at.origin ? location : null
}

function toBoards({ boardUri, boardName, boardDescription }: Fields): ImportedBoard[] {
  const text = (value: unknown) => decodeEntities(asText(value))
  return [{ name: asText(boardUri), title: text(boardName), description: text(boardDescription) }]
}
