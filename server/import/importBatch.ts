import type { Context } from '#server/core/context.ts'
import { isOtherThread, type LeftOut, type Pending, readThreadStates, selectPending } from './importedState.ts'
import { addMissing, findMissing } from './missingImages.ts'
import { countUsableImages, listIllustrated, storeImages } from './postImages.ts'
import { type PostText, toPostText } from './posts.ts'
import { createToId, createToIdOnBoard, type Target } from './ranges.ts'
import type { ImportCounts, ImportedThread, ImportOptions, ReportProblem } from './types.ts'
import { writeBatch } from './writeBatch.ts'

/** The threads that a dry run has counted, with their newest posts, by board and number. */
export type PlannedThreads = Map<string, number>

/** Imports parts of one board's threads, or only counts them in a dry run. Adds to `counts`, and to `planned`. */
export async function importBatch(
  ctx: Context,
  target: Target,
  parts: ImportedThread[],
  { dryRun, report }: ImportOptions,
  { counts, planned }: { counts: ImportCounts; planned: PlannedThreads },
): Promise<void> {
  const states = await readThreadStates(ctx.db, target.name, parts, createToId(target))
  const known = parts.filter((part) => !isOtherThread(part, states.get(part.number)))
  const missing = await findMissing(ctx, target, listIllustrated(known))
  const count = () =>
    countUsableImages(
      missing.map(({ post }) => post),
      target.name,
      report,
    )
  counts.images += await (dryRun ? count() : addMissing(ctx, target, missing, report))
  const selected = parts.map((part) => {
    const newest = planned.get(keyOf(part))
    const state = newest === undefined ? states.get(part.number) : { newest, exists: true, openedMs: null }
    return selectPending(part, state)
  })
  const pending = selected.flatMap((one) => one.pending ?? [])
  const reportAll = (leftOut: LeftOut[]) => {
    for (const { number, reason } of leftOut) report(`/${target.name}/${number}`, reason)
  }
  if (dryRun || pending.length === 0) {
    reportAll(selected.flatMap(({ leftOut }) => leftOut))
    for (const { thread, posts } of dryRun ? pending : [])
      planned.set(keyOf(thread), posts.at(-1)?.number ?? thread.number)
    return countPending(pending, target, report, counts)
  }
  const illustrated = listIllustrated(pending.map(({ thread, posts }) => ({ ...thread, posts })))
  const images = await storeImages(ctx, illustrated, target.name, report)
  const written = await writeBatch(ctx, target, parts, { texts: readTexts(ctx, pending, target), images })
  reportAll(written.leftOut)
  counts.threads += written.threads
  counts.posts += written.posts
  counts.images += written.images
}

const keyOf = ({ board, number }: ImportedThread) => `${board}/${number}`

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
    counts.images += await countUsableImages(posts, name, report)
  }
}
