import { eq, sql } from 'drizzle-orm'
import { importedImage, livePost, type StoredImage, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { idList } from '#server/features/board/quotes.ts'
import { JOINER } from '#server/import/text/literalMarkup.ts'
import type { PostText } from '#server/import/text/postText.ts'
import type { ImportedPost, ImportedThread } from '#server/import/types.ts'
import { withoutExtension } from '#server/import/write/insertRows.ts'
import { createToId, type Target } from '#server/import/write/ranges.ts'
import { isPinned } from '#server/import/write/rows.ts'
import { boardLimits } from '#src/contract/board.ts'

/** What the source has changed in a post since it was imported, or in the thread that it opens. */
export type PostChange = {
  number: number
  id: number
  threadId: number
  /** null if the text is the same */
  text: PostText | null
  /** here, but not in the source */
  deletedImages: StoredImage[]
  /** whether `deletedImages` has all images, because the site does not know their names in the source */
  isGuess: boolean
  lock: 'lock' | 'unlock' | null
  pin: 'pin' | 'unpin' | null
}

type Known = { thread: ImportedThread; post: ImportedPost }
type Reader = Pick<Context, 'db'>

/** Compares imported posts with the source. @param known posts that an earlier run has imported */
export async function findChanges(
  ctx: Reader,
  target: Target,
  known: Known[],
  toText: (post: ImportedPost, thread: ImportedThread) => PostText,
  hasImages: boolean,
): Promise<PostChange[]> {
  if (known.length === 0) return []
  const toId = createToId(target)
  const byId = new Map(known.map((one) => [toId(one.post.number) ?? 0, one]))
  const rows = await readRows(ctx, [...byId.keys()])
  const names = hasImages ? await readNames(ctx, target.name, known) : new Map<number, Map<string, number>>()
  const pinned = await ctx.db.$count(thread, sql`${thread.boardId} = ${target.boardId} and ${thread.pinned}`)
  let freePins = boardLimits.pinnedThreads - pinned
  return rows.flatMap((row) => {
    const source = byId.get(row.id)
    if (!source) return []
    const text = toText(source.post, source.thread)
    const isOpening = row.id === row.threadId
    const isSame = isSameText(text.content, row.content) && (!isOpening || isSameText(text.title, row.title))
    const { images, isGuess } = hasImages
      ? findDeleted(imagesOf(row), source.post, names.get(source.post.number))
      : { images: [], isGuess: false }
    const change: PostChange = {
      ...{ number: source.post.number, id: row.id, threadId: row.threadId, text: isSame ? null : text },
      ...{ deletedImages: images, isGuess, lock: null, pin: null },
    }
    if (isOpening && !row.archivedAt) {
      if (source.thread.locked !== row.locked) change.lock = row.locked ? 'unlock' : 'lock'
      if (isPinned(source.thread) !== row.pinned) change.pin = row.pinned ? 'unpin' : 'pin'
      // The import has left out the pins beyond the limit.
      if (change.pin === 'pin' && freePins-- <= 0) change.pin = null
    }
    const isChanged = change.text || images.length > 0 || change.lock || change.pin
    return isChanged ? [change] : []
  })
}

const readRows = ({ db }: Reader, ids: number[]) =>
  db
    .select({
      ...{
        id: livePost.id,
        threadId: livePost.threadId,
        content: livePost.content,
        image: livePost.image,
        moreImages: livePost.moreImages,
      },
      ...{ title: thread.title, locked: thread.locked, pinned: thread.pinned, archivedAt: thread.archivedAt },
    })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .where(sql`${livePost.id} in (select unnest(${idList(ids)}))`)

/** Returns the places of the images of posts, by their numbers and names. */
async function readNames({ db }: Reader, source: string, known: Known[]): Promise<Map<number, Map<string, number>>> {
  const numbers = known.map((one) => one.post.number)
  const rows = await db
    .select({ number: importedImage.number, name: importedImage.name, place: importedImage.place })
    .from(importedImage)
    .where(sql`${importedImage.source} = ${source} and ${importedImage.number} in (select unnest(${idList(numbers)}))`)
  const names = new Map<number, Map<string, number>>()
  for (const { number, name, place } of rows) {
    const own = names.get(number) ?? new Map()
    names.set(number, own.set(name, place))
  }
  return names
}

/** Compares only the number of images if they were imported without their names. */
function findDeleted(
  stored: StoredImage[],
  source: ImportedPost,
  names: ReadonlyMap<string, number> | undefined,
): { images: StoredImage[]; isGuess: boolean } {
  if (!names) {
    const isGuess = stored.length > source.images.length
    return { images: isGuess ? stored : [], isGuess }
  }
  const left = new Set(source.images.map(({ name }) => withoutExtension(name)))
  const deleted = new Set([...names].flatMap(([name, place]) => (left.has(name) ? [] : place)))
  return { images: stored.filter(({ place = 0 }) => deleted.has(place)), isGuess: false }
}

/** The numbers of linked posts differ if other boards were imported in the same run. */
const toComparable = (text: string) =>
  text
    .replaceAll(JOINER, '')
    .replace(/>>(?:>\/[^\s/>]{1,64}\/)?\d+/g, '>>')
    .replace(/\s+/g, '')

const isSameText = (a: string, b: string) => a === b || toComparable(a) === toComparable(b)
