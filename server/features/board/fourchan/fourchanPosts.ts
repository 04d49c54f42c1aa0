import { BLANK_POST, post, type StoredImage, type WrittenPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { toSlug } from '#server/features/board/ids.ts'
import type { ListedPost } from '#server/features/board/read/threadRows.ts'
import type { PostRow, ThreadRow } from '#server/features/board/read/view.ts'
import { proveTripcode } from '#server/features/board/write/author.ts'
import { moderationLimits } from '#src/contract/moderation.ts'
import { type PostRef, type PostView, postSchema } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { renderComment, type Urls } from './commentHtml.ts'
import { imageNumber } from './imageNumber.ts'

/** 4chan's times are in the time zone of New York. */
const formatter = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: '2-digit',
  month: '2-digit',
  day: '2-digit',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Formats a time as `12/31/18(Mon)17:05:48`. */
export function formatPostTime(time: Date): string {
  const parts = Object.fromEntries(formatter.formatToParts(time).map(({ type, value }) => [type, value]))
  const { month, day, year, weekday, hour, minute, second } = parts
  return `${month}/${day}/${year}(${weekday})${hour}:${minute}:${second}`
}

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** The posts that each post links to. */
export type QuoteTargets = ReadonlyMap<number, PostRef[]>

/** A post in 4chan's format (docs/json.md). Fields with the prefix `dtp_` are our own. */
export type FourchanPost = Record<string, unknown> & { no: number; resto: number }

/** A thread, with the time of its last change */
type FourchanHead = ThreadRow & { changedAt: Date }

/** Maximum width and height of a thumbnail, in pixels of the page. */
const THUMBNAIL = { width: 250, height: 250 }
const SLUG_LENGTH = 50
/** 4chan's name of posts without one. */
const NO_NAME = 'Anonymous'

/** URLs as clients of 4chan expect them. */
const urls: Urls = {
  thread: ({ boardId, threadId }) => `/${boardId}/thread/${threadId}`,
  board: (boardId) => `/${boardId}/`,
}

export function createPost(row: ListedPost<string | null>, targets: QuoteTargets): FourchanPost {
  const { id, threadId, author, tripcode, capcode, posterLabel, sage, content, createdAt } = row
  const [image, ...others] = imagesOf(row)
  return {
    no: id,
    resto: id === threadId ? 0 : threadId,
    now: formatPostTime(createdAt),
    time: toSeconds(createdAt),
    name: row.stub ? NO_NAME : escapeXml(author),
    ...(tripcode !== null && { trip: tripcode }),
    ...(capcode !== null && { capcode }),
    ...(posterLabel !== null && { id: posterLabel }),
    // As in vichan, where authors type it into the field of their email.
    ...(sage && { email: 'sage' }),
    ...(content !== null && { com: renderComment({ ...row, content }, targets.get(id) ?? [], urls) }),
    ...(image && imageFields(row, image)),
    ...(row.fileDeleted && { filedeleted: 1 }),
    // As in vichan.
    ...(others.length > 0 && { extra_files: others.map((one) => imageFields(row, one)) }),
  }
}

function imageFields(row: ListedPost<string | null>, image: StoredImage) {
  const number = imageNumber(row, image)
  const thumbnail = fitInside(image.preview, THUMBNAIL)
  return {
    // The server stores no names of uploaded files: they can identify a person.
    filename: String(number),
    ext: extensionOf(image),
    w: image.width,
    h: image.height,
    tn_w: thumbnail.width,
    tn_h: thumbnail.height,
    tim: number,
    // Images that were stored before the site computed this hash do not have it.
    ...(image.md5 !== undefined && { md5: image.md5 }),
    fsize: image.bytes,
    ...(row.spoiler && { spoiler: 1 }),
  }
}

export const extensionOf = ({ name }: Pick<StoredImage, 'name'>) => name.slice(name.lastIndexOf('.'))

/** @param counts answers, and images in them */
export function createOpeningPost(
  head: FourchanHead,
  row: ListedPost<string | null>,
  targets: QuoteTargets,
  counts: { replies: number; images: number; maxPosts: number },
): FourchanPost {
  const { replies, images, maxPosts } = counts
  const { no, resto, ...fields } = createPost(row, targets)
  return {
    no,
    resto,
    ...(head.pinned && { sticky: 1 }),
    ...((head.locked || head.archivedAt) && { closed: 1 }),
    // As in vichan.
    ...(head.locked && { locked: 1 }),
    ...(head.cyclical && { cyclical: 1 }),
    ...(head.bumplocked && { bumplimit: 1, dtp_bumplocked: 1 }),
    ...(head.archivedAt && { archived: 1, archived_on: toSeconds(head.archivedAt) }),
    sub: escapeXml(head.title),
    ...fields,
    semantic_url: toSlug(head.title, SLUG_LENGTH) || 'thread',
    replies,
    images,
    // A full thread takes no more posts, with or without an image.
    ...(replies >= maxPosts && !head.cyclical && { bumplimit: 1, imagelimit: 1 }),
    last_modified: toSeconds(head.changedAt),
  }
}

/** Columns that the fields of 4chan and vichan show, or that `ownFields` writes in another form. */
const SHOWN = new Set<string>([
  ...(['author', 'content', 'image', 'links', 'spoiler', 'sage'] satisfies (keyof WrittenPost)[]),
  ...(['tripcode', 'capcode', 'posterLabel'] satisfies (keyof WrittenPost)[]),
])
/** The other columns that readers see. Their fields have the prefix `dtp_`, so that an export has all of them. */
const OWN_COLUMNS = (Object.keys(BLANK_POST) as (keyof WrittenPost & keyof PostView)[])
  .filter((key) => key in postSchema.shape && !SHOWN.has(key))
  .map((key) => ({
    key,
    field: `dtp_${post[key].name}`,
    schema: postSchema.shape[key],
  }))

const POSTER_LABEL = /^[A-Za-z0-9+/]{8}$/

/** Reads the columns that only an export of this site has. Leaves out what is not valid, and cuts long texts. */
export function readOwnColumns(fields: Record<string, unknown>): Partial<WrittenPost> {
  const read = OWN_COLUMNS.flatMap(({ key, field, schema }) => {
    const value = schema.safeParse(fields[field]).data ?? ''
    // PostgreSQL rejects NUL and half a character, which a cut can leave.
    const toText = (text: string) => text.replaceAll('\0', '').slice(0, moderationLimits.note).toWellFormed()
    const own = typeof value === 'string' ? toText(value) : value
    return own === '' ? [] : [[key, own]]
  })
  const { id } = fields
  return { ...Object.fromEntries(read), ...(typeof id === 'string' && POSTER_LABEL.test(id) && { posterLabel: id }) }
}

/** Fields that make an export lossless: the source of what the other fields show in another form. */
export function ownFields(row: PostRow, board: string, { tripcodes }: Services['secrets']) {
  const { id, parentId, author, tripcode, content, links, createdAt } = row
  const time = createdAt.getTime()
  return {
    dtp_time: time,
    // An import has no stubs, and a post without a text looks like one whose image was deleted.
    dtp_text: row.stub ? t('board.deletedByAuthor') : content,
    ...(links.length > 0 && { dtp_links: links }),
    ...(parentId !== null && { dtp_parent: parentId }),
    ...Object.fromEntries(
      OWN_COLUMNS.flatMap(({ key, field }) => (row[key] === BLANK_POST[key] ? [] : [[field, row[key]]])),
    ),
    ...(tripcode !== null && {
      dtp_trip_proof: proveTripcode(tripcodes, { board, number: id, time, author, text: content, tripcode }),
    }),
  }
}
