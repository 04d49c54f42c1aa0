import type { WrittenPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { isProvenTripcode } from '#server/features/board/write/author.ts'
import { type Cost, calculateCost } from '#server/features/board/write/threadLimits.ts'
import type { ImportedPost } from '#server/import/types.ts'
import { withoutTripcodeMarks } from '#src/contract/authorName.ts'
import { boardLimits } from '#src/contract/board.ts'
import { isWebLink, MAX_LINKS } from '#src/contract/links.ts'
import { UNSAFE_IN_LINE } from '#src/contract/text.ts'
import { findCode } from '#src/lib/codeRegions.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import { closeSpoiler, quotedPosts } from '#src/lib/markup.ts'
import { htmlToPlainText, MAX_HTML } from './htmlWriter.ts'
import { JOINER, withoutMarkup } from './literalMarkup.ts'
import { listSearchWords } from './searchWords.ts'

/** Unicode characters. Old boards let moderators write longer posts than visitors of this site. */
const MAX_CONTENT = 100_000
/** An export of this site has the notes below the text too. A word list of the search takes at most 1 MiB. */
const MAX_OWN_CONTENT = 110_000
const MAX_FILE_NAME = 100
/** Limit what a hostile source adds to the text. */
const MAX_FILES = 50
const MAX_NOTES = 10
const CUT = '[…]'
const MAX_TITLE_FROM_TEXT = 80
const UNSAFE_CHARACTERS = new RegExp(UNSAFE_IN_LINE.source, 'gu')
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/u
/** A link to a post, as `src/lib/markup.ts` parses it, or to a post on any board of the old site, such as `>>>/b/5`. */
const POST_LINK = /(?<!>)>>(?:>\/([^\s/>]{1,64})\/)?([1-9]\d{0,14})(?!\d)/g

/** Returns the id on this site of a post with this number on the old board, or null for an unknown number. */
export type ToId = (number: number) => number | null

/** The texts of a post in this site's markup. */
export type PostText = Pick<WrittenPost, 'author' | 'tripcode' | 'content' | 'links'> & {
  /** empty for comments and replies */
  title: string
  /** whether the content is only the start of the source's text */
  isCut: boolean
  /** counted towards the limits of the thread */
  cost: Cost
  /** ids of the quoted posts */
  quotes: number[]
  /** the words of the content; see `listSearchWords` */
  words: string | null
}

export type Place = {
  /** numbers of the thread and name of its board, on the old site */
  thread: number
  board: string
  toId: ToId
  /** the same for a post on another board of the old site */
  toIdOnBoard?: (board: string, number: number) => number | null
  /** whether all numbers of the board stay the same */
  keepsNumbers: boolean
  /** name of posts without one */
  defaultName: string
  /** this site's key of tripcodes is in them */
  secrets: Pick<Services['secrets'], 'tripcodes'>
}

export function toPostText(post: ImportedPost, place: Place): PostText {
  const { thread: threadNumber, toId } = place
  const { signed } = post
  const isProven = signed !== undefined && isProvenTripcode(place.secrets.tripcodes, signed, signed.proof)
  const isOpening = post.number === threadNumber
  const id = toId(post.number) ?? 0
  const written = 'text' in post.body ? post.body.text : htmlToPlainText(post.body)
  const own = toStorable(joinParagraphs(written, post.video))
  const subject = toLine(post.subject, boardLimits.title)
  // Only threads have titles here.
  const body = joinParagraphs(isOpening ? '' : withoutMarkup(subject), own)
  const { text, isCut } = cutText(body, post.body)
  const notes = writeNotes(post)
  const linked: Linked = { own: new Set(), elsewhere: new Set(post.linked?.flatMap((number) => toId(number) ?? [])) }
  // A text in this site's markup has no links of this kind: here, they are text.
  const { toIdOnBoard = () => null } = 'text' in post.body ? {} : place
  const linkedText = linkPosts(text, { ...place, toIdOnBoard }, linked)
  const shown = {
    author: toAuthor(isProven ? { author: signed.author } : post, place.defaultName),
    content: joinParagraphs(linkedText, notes),
    links: post.links.filter(isWebLink).slice(0, MAX_LINKS),
  }
  return {
    ...shown,
    // Tripcodes of other sites are a part of the author's name.
    tripcode: isProven ? signed.tripcode : null,
    title: isOpening ? subject || titleFromText(linkedText) || `Thread ${id}` : '',
    isCut,
    cost: calculateCost(shown),
    // As on this site, a post quotes only older posts. The ids of posts on different boards do not tell their order.
    quotes:
      linked.own.size + linked.elsewhere.size === 0
        ? []
        : quotedPosts(shown.content, boardLimits.quotes).filter(
            (quoted) => linked.elsewhere.has(quoted) || (linked.own.has(quoted) && quoted < id),
          ),
    words: listSearchWords(shown.content),
  }
}

/** Joins the name with its codes, and shortens the name instead of them. */
function toAuthor({ author, codes = '' }: Pick<ImportedPost, 'author' | 'codes'>, defaultName: string): string {
  // A tripcode of another site must not look like one of this site.
  const [name, shown] = [author, codes].map((text) => withoutTripcodeMarks(toLine(text, boardLimits.author)))
  if (!shown) return name || defaultName
  const short = shorten(name || defaultName, Math.max(0, boardLimits.author - shown.length - 1))
  // The name can end with a mark.
  return withoutTripcodeMarks(toLine(`${short} ${shown}`, boardLimits.author))
}

/** Ids of linked posts: `own` on the board of the post, `elsewhere` on other boards, or linked in an export of this site. */
type Linked = { own: Set<number>; elsewhere: Set<number> }

/**
 * Unknown numbers must not look like links: here, they may be the numbers of other posts. Code stays as it is.
 * @param linked receives the ids of the linked posts
 */
function linkPosts(
  text: string,
  { board: own, toId, toIdOnBoard, keepsNumbers }: Required<Place>,
  linked: Linked,
): string {
  if (!text.includes('>>')) return text
  const linkPart = (from: number, to?: number) =>
    text.slice(from, to).replace(POST_LINK, (link, board: string | undefined, number: string) => {
      const id = board === undefined ? toId(Number(number)) : toIdOnBoard(board, Number(number))
      if (id === null) return keepsNumbers || board !== undefined ? link : `>>>/${own}/${number}`
      linked[board === undefined || board === own ? 'own' : 'elsewhere'].add(id)
      return `>>${id}`
    })
  let out = ''
  let at = 0
  for (const { start, end } of findCode(text)) {
    out += linkPart(at, start) + text.slice(start, end)
    at = end
  }
  return out + linkPart(at)
}

const joinParagraphs = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join('\n\n')

/** Lists files that this site does not store, and notes of moderators. */
const writeNotes = ({ otherFiles = [], notes = [] }: ImportedPost) =>
  joinParagraphs(
    otherFiles.slice(0, MAX_FILES).map(toFileLine).join('\n'),
    ...notes.slice(0, MAX_NOTES).map(toNoteLine),
  )

const toFileLine = (name: string) => `[file ${withoutMarkup(toLine(name, MAX_FILE_NAME)) || 'without a name'}]`
const toNoteLine = (note: string) => withoutMarkup(toLine(note, boardLimits.title))

function cutText(text: string, source: ImportedPost['body']): { text: string; isCut: boolean } {
  const kept = shorten(text, 'text' in source ? MAX_OWN_CONTENT : MAX_CONTENT)
  const isCut = kept !== text || ('html' in source && source.html.length > MAX_HTML)
  return { text: isCut ? joinParagraphs(closeSpoiler(kept), CUT) : text, isCut }
}

/** Returns the first line that is no quote, as lists of threads show it: spoilers stay hidden. */
function titleFromText(text: string): string {
  const line = text.split('\n').find((one) => VISIBLE.test(one) && !/^(?:>|```)/.test(one)) ?? ''
  return toLine(excerpt(closeSpoiler(line), MAX_TITLE_FROM_TEXT - 1).replaceAll(JOINER, ''), boardLimits.title)
}

/** PostgreSQL rejects NUL, and UTF-8 cannot encode a lone surrogate. */
const toStorable = (text: string) => text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed()

function toLine(text: string, limit: number): string {
  const line = shorten(toStorable(text).replace(UNSAFE_CHARACTERS, ' ').trim(), limit)
  return VISIBLE.test(line) ? line : ''
}

/** @param limit in Unicode characters */
const shorten = (text: string, limit: number) => (text.length <= limit ? text : [...text].slice(0, limit).join(''))
