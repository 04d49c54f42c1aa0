import type { FurtherImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { toFurtherImage } from '#server/features/board/images.ts'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { checkImage, storeImage } from './images.ts'
import { type LeftOut, type Pending, readThreadStates, selectPending } from './importedState.ts'
import { type PostText, toPostText } from './posts.ts'
import { createToId, createToIdOnBoard, type Target } from './ranges.ts'
import type { ImportCounts, ImportedThread, ImportOptions, ReportProblem } from './types.ts'
import { writeBatch } from './writeBatch.ts'

/** images that are stored concurrently */
const IMAGES_AT_ONCE = 4
const TOO_MANY = `a post has at most ${MAX_POST_IMAGES} images`

/** Imports parts of one board's threads, or only counts them in a dry run. Adds to `counts`. */
export async function importBatch(
  ctx: Context,
  target: Target,
  parts: ImportedThread[],
  { dryRun, report }: ImportOptions,
  counts: ImportCounts,
): Promise<void> {
  const states = await readThreadStates(ctx.db, target.name, parts, createToId(target))
  const selected = parts.map((part) => selectPending(part, states.get(part.number)))
  const pending = selected.flatMap((one) => one.pending ?? [])
  const reportAll = (leftOut: LeftOut[]) => {
    for (const { number, reason } of leftOut) report(`/${target.name}/${number}`, reason)
  }
  if (dryRun || pending.length === 0) {
    reportAll(selected.flatMap(({ leftOut }) => leftOut))
    return countPending(pending, target, report, counts)
  }
  const images = await storeImages(ctx, pending, target, report)
  const written = await writeBatch(ctx, target, parts, { texts: readTexts(ctx, pending, target), images })
  reportAll(written.leftOut)
  counts.threads += written.threads
  counts.posts += written.posts
  counts.images += written.images
}

/** Converts the texts before the transaction, to keep it short. Skips posts whose number another one already has. */
function readTexts({ secrets }: Context, pending: Pending[], target: Target): Map<number, PostText> {
  const { name: board, ranges } = target
  const place = {
    board,
    toId: createToId(target),
    toIdOnBoard: createToIdOnBoard(target),
    keepsNumbers: ranges.every(({ shift }) => shift === 0),
    tripcodeKey: secrets.tripcodes,
  }
  const texts = new Map<number, PostText>()
  for (const { thread, posts } of pending) {
    for (const post of posts) {
      if (!texts.has(post.number)) texts.set(post.number, toPostText(post, { ...place, thread: thread.number }))
    }
  }
  return texts
}

async function countPending(
  pending: Pending[],
  { name }: Target,
  report: ReportProblem,
  counts: ImportCounts,
): Promise<void> {
  for (const { isNew, posts } of pending) {
    counts.threads += Number(isNew)
    counts.posts += posts.length
    for (const { number, images } of posts) {
      let found = 0
      for (const image of images) {
        const refusal = found === MAX_POST_IMAGES ? TOO_MANY : await checkImage(image)
        if (refusal === null) found++
        else report(`/${name}/${number}`, `image ${image.name} left out: ${refusal}`)
      }
      counts.images += found
    }
  }
}

/** Stores the first usable images of each post. */
async function storeImages(
  ctx: Context,
  pending: Pending[],
  { name }: Target,
  report: ReportProblem,
): Promise<Map<number, FurtherImage[]>> {
  const stored = new Map<number, FurtherImage[]>()
  const waiting = pending.flatMap(({ thread, posts }) =>
    posts.flatMap((post) => (post.images.length > 0 ? { post, isOpening: post.number === thread.number } : [])),
  )
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { number, parent, images } = next.post
      // Of two posts with one number, the first is imported.
      if (stored.has(number)) continue
      stored.set(number, [])
      const kind = next.isOpening ? 'thread' : parent === null ? 'comment' : 'reply'
      const own: FurtherImage[] = []
      for (const image of images) {
        const outcome = own.length === MAX_POST_IMAGES ? TOO_MANY : await storeImage(ctx, image, kind)
        if (typeof outcome === 'string') report(`/${name}/${number}`, `image ${image.name} left out: ${outcome}`)
        else own.push(toFurtherImage(outcome, image.place ?? own.length))
      }
      stored.set(number, own)
    }
  }
  await Promise.all(Array.from({ length: IMAGES_AT_ONCE }, work))
  return stored
}
