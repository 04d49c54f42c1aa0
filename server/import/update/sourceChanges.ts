import { eq, sql } from 'drizzle-orm'
import { pick } from '#db/schema/columns.ts'
import { importedImage, importedRange, livePost, type StoredImage, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { imagesOf } from '#server/core/storage/imageFiles.ts'
import { idList } from '#server/features/board/quotes.ts'
import { JOINER } from '#server/import/text/literalMarkup.ts'
import type { PostText } from '#server/import/text/postText.ts'
import type { ImportedPost, ImportedThread } from '#server/import/types.ts'
import { countPins } from '#server/import/write/importedState.ts'
import { withoutExtension } from '#server/import/write/insertRows.ts'
import { createToId, type Target } from '#server/import/write/ranges.ts'
import { isPinned } from '#server/import/write/rows.ts'
import { boardLimits } from '#src/contract/board.ts'
import { THREAD_FLAG_ACTIONS, type ThreadFlagAction, type ThreadFlags, threadFlags } from '#src/contract/thread.ts'

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
  flags: ThreadFlagAction[]
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
  const isSameText = await createComparison(ctx, target)
  let freePins = boardLimits.pinnedThreads - (await countPins(ctx.db, target.boardId))
  return rows.flatMap((row) => {
    const source = byId.get(row.id)
    if (!source) return []
    const text = toText(source.post, source.thread)
    const isOpening = row.id === row.threadId
    const isSame = isSameText(text.content, row.content) && (!isOpening || isSameText(text.title, row.title))
    const { boardId } = row
    const { images, isGuess } = hasImages
      ? findDeleted(imagesOf(row), source.post, names.get(source.post.number))
      : { images: [], isGuess: false }
    const change: PostChange = {
      ...{ number: source.post.number, id: row.id, threadId: row.threadId, text: isSame ? null : text },
      ...{ deletedImages: images, isGuess, flags: isOpening && !row.archivedAt ? findFlags(source.thread, row) : [] },
    }
    // A pin belongs to the old board, and the import has left out the pins beyond the limit.
    const hasNoPin = boardId !== target.boardId || (change.flags.includes('pin') && freePins-- <= 0)
    if (hasNoPin) change.flags = change.flags.filter((flag) => flag !== 'pin' && flag !== 'unpin')
    return change.text || images.length > 0 || change.flags.length > 0 ? [change] : []
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
      ...{ boardId: thread.boardId, title: thread.title, archivedAt: thread.archivedAt },
      ...pick(thread, threadFlags),
    })
    .from(livePost)
    .innerJoin(thread, eq(thread.id, livePost.threadId))
    .where(sql`${livePost.id} in (select unnest(${idList(ids)}))`)

function findFlags(source: ImportedThread, here: ThreadFlags): ThreadFlagAction[] {
  const there = { ...source, pinned: isPinned(source) }
  return (Object.keys(THREAD_FLAG_ACTIONS) as ThreadFlagAction[]).filter((action) =>
    (Object.entries(THREAD_FLAG_ACTIONS[action]) as [keyof ThreadFlags, boolean][]).every(
      ([flag, value]) => there[flag] === value && here[flag] !== value,
    ),
  )
}

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

const POST_LINK = />>(?:>\/([^\s/>]{1,64})\/)?(\d+)/g

/**
 * Creates a comparison of texts in which links to posts are the same if they lead to the same post here: how they are
 * written depends on which boards were imported in the same run.
 */
async function createComparison({ db }: Reader, { name: own }: Target) {
  const { source, first, last, shift } = importedRange
  const ranges = await db.select({ source, first, last, shift }).from(importedRange)
  const toLink = (_link: string, board: string | undefined, digits: string) => {
    const number = Number(digits)
    if (board === undefined) return `>>${number}`
    const range = ranges.find((one) => one.source === board && one.first <= number && number <= one.last)
    if (range) return `>>${number + range.shift}`
    return board === own ? `>>${number}` : `>>>${board}/${number}`
  }
  const toComparable = (text: string) => text.replaceAll(JOINER, '').replace(POST_LINK, toLink).replace(/\s+/g, '')
  return (a: string, b: string) => a === b || toComparable(a) === toComparable(b)
}
