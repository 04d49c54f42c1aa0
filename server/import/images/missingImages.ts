import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { type FurtherImage, livePost, missingImage, post, type StoredImage, thread } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { imageFiles, imagesOf } from '#server/core/storage/imageFiles.ts'
import { idList } from '#server/features/board/quotes.ts'
import { changedNow, imagesOfThread } from '#server/features/board/read/queries.ts'
import { toFurtherImage, toImageColumns } from '#server/features/board/write/images.ts'
import type { ReportProblem } from '#server/import/types.ts'
import { recordImages } from '#server/import/write/insertRows.ts'
import { createToId, type Target } from '#server/import/write/ranges.ts'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { type IllustratedPost, type PostImages, storeImages } from './postImages.ts'

/** Returns the published posts whose images were missing, with only these images. */
export async function findMissing(
  { db }: Pick<Context, 'db'>,
  target: Target,
  posts: IllustratedPost[],
): Promise<IllustratedPost[]> {
  if (posts.length === 0) return []
  const toId = createToId(target)
  const numbers = posts.map((one) => one.post.number)
  const rows = await db.execute<{ number: string; name: string }>(sql`
    select given.number, ${missingImage.name} as name
    from unnest(${idList(numbers)}, ${idList(numbers.map((number) => toId(number) ?? 0))}) as given(number, id)
    join ${missingImage} on ${missingImage.source} = ${target.name} and ${missingImage.number} = given.number
    join ${livePost} on ${livePost.id} = given.id`)
  const names = new Map<number, Set<string>>()
  for (const { number, name } of rows) {
    const own = names.get(Number(number)) ?? new Set()
    names.set(Number(number), own.add(name))
  }
  return posts.flatMap((one) => {
    const images = one.post.images.filter(({ name }) => names.get(one.post.number)?.has(name))
    return images.length === 0 ? [] : { ...one, post: { ...one.post, images } }
  })
}

/** Adds images to posts that were imported without them. @returns how many */
export async function addMissing(
  ctx: Context,
  target: Target,
  posts: IllustratedPost[],
  report: ReportProblem,
): Promise<number> {
  if (posts.length === 0) return 0
  const stored = await storeImages(ctx, posts, target.name, report)
  const added = await writeAndPublish(ctx, async (tx) => {
    const images: FurtherImage[] = []
    for (const one of posts) images.push(...(await addToPost(ctx, tx, target, one, stored.get(one.post.number))))
    return images
  })
  const names = new Set(added.map(({ name }) => name))
  const unused = [...stored.values()].flatMap(({ images }) => images.filter(({ name }) => !names.has(name)))
  await ctx.files.remove(unused.flatMap(imageFiles))
  return added.length
}

async function addToPost(
  { now }: Context,
  tx: Transaction,
  target: Target,
  { post: source }: IllustratedPost,
  { images, names, missing }: PostImages = { images: [], names: [], missing: [] },
): Promise<FurtherImage[]> {
  const id = createToId(target)(source.number) as number
  const tried = source.images.map(({ name }) => name).filter((name) => !missing.includes(name))
  if (tried.length === 0) return []
  const ofPost = tx.select({ threadId: livePost.threadId }).from(livePost).where(eq(livePost.id, id))
  // Locks the thread first, as the removal of posts does.
  const [found] = await tx
    .select({ threadId: thread.id, boardId: thread.boardId })
    .from(thread)
    .where(eq(thread.id, ofPost))
    .for('update')
  if (!found) return []
  const { image, moreImages, spoiler } = livePost
  const [before] = await tx
    .select({ image, moreImages, spoiler })
    .from(livePost)
    .where(eq(livePost.id, id))
    .for('update')
  if (!before) return []
  const isTried = and(
    eq(missingImage.source, target.name),
    eq(missingImage.number, source.number),
    inArray(missingImage.name, tried),
  )
  // Another import can have added them meanwhile.
  const deleted = await tx.delete(missingImage).where(isTried).returning({ name: missingImage.name })
  const present = imagesOf(before)
  const added = deleted.length === 0 ? [] : images.slice(0, Math.max(0, MAX_POST_IMAGES - present.length))
  if (added.length === 0) return []
  const placed = placeImages(present, added)
  const all = [...present, ...placed].sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
  await recordImages(tx, target.name, new Map([[source.number, { images: placed, names, missing: [] }]]))
  await tx
    .update(post)
    .set({
      ...toImageColumns(all.map((image) => toFurtherImage(image, image.place ?? 0))),
      spoiler: present.length === 0 ? source.spoiler : before.spoiler,
      fileDeleted: false,
    })
    .where(eq(post.id, id))
  await tx
    .update(thread)
    .set({ imageCount: imagesOfThread, changedAt: changedNow(now()) })
    .where(eq(thread.id, found.threadId))
  await publish(tx, now(), [
    { topic: `thread:${found.threadId}`, change: { kind: 'post', postId: id } },
    { topic: `board:${found.boardId}`, change: { kind: 'thread', threadId: found.threadId } },
  ])
  return added
}

/** An image whose place is taken gets the first free one. */
function placeImages(present: StoredImage[], added: StoredImage[]): FurtherImage[] {
  const taken = new Set(present.map(({ place }) => place ?? 0))
  return added.map(({ place: wanted = 0, ...image }) => {
    let place = wanted
    if (taken.has(place)) for (place = 0; taken.has(place); ) place++
    taken.add(place)
    return toFurtherImage(image, place)
  })
}
