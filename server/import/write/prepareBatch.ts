import type { Context } from '#server/core/context.ts'
import { addMissing, findMissing } from '#server/import/images/missingImages.ts'
import { listIllustrated, listUsableImages, storeImages } from '#server/import/images/postImages.ts'
import { giveWay } from '#server/import/progress.ts'
import { type PostText, toPostText } from '#server/import/text/postText.ts'
import type { ImportCounts, ImportedPost, ImportedThread, ImportOptions, ReportProblem } from '#server/import/types.ts'
import type { ChangeTally } from '#server/import/update/changeTally.ts'
import { findChanges } from '#server/import/update/sourceChanges.ts'
import { takeOver } from '#server/import/update/takeOver.ts'
import {
  isOtherThread,
  type LeftOut,
  type Pending,
  readThreadStates,
  selectPending,
  type ThreadState,
} from './importedState.ts'
import { createToId, createToIdOnBoard, type Target } from './ranges.ts'
import { writeBatch } from './writeBatch.ts'

/** The newest posts of threads that this run has prepared, by board and number. The database may not have them yet. */
type PlannedThreads = Map<string, number>

export type ImportProgress = {
  counts: ImportCounts
  /** names of boards that an earlier run has imported */
  known: ReadonlySet<string>
  planned: PlannedThreads
  tally: ChangeTally
  hasImages: boolean
}

/**
 * Prepares parts of one board's threads: reads what is here, converts texts, stores images, and compares posts that are
 * here already. In a dry run, only counts.
 * @param earlier ends when the batches before are written
 * @returns writes the posts in one transaction, and returns its ms; the caller prepares the next batch meanwhile
 */
export async function prepareBatch(
  ctx: Context,
  target: Target,
  parts: ImportedThread[],
  options: ImportOptions,
  progress: ImportProgress,
  earlier: Promise<unknown>,
): Promise<() => Promise<number>> {
  const { dryRun, report } = options
  const { counts, planned } = progress
  // Asks the embedded database nothing that can be known: the batch before has it for itself.
  const states = progress.known.has(target.name)
    ? await readThreadStates(ctx.db, target.name, parts, createToId(target))
    : new Map<number, ThreadState>()
  const known = parts.filter((part) => !isOtherThread(part, states.get(part.number)))
  if (known.length < parts.length) progress.tally.mixed.add(target.name)
  const hasKnown = known.some(({ number }) => states.get(number)?.newest)
  if (hasKnown) {
    await earlier
    await compareKnown(ctx, target, known, states, options, progress)
    const missing = await findMissing(ctx, target, listIllustrated(known))
    const posts = missing.map(({ post }) => post)
    if (dryRun) await planImages(target, posts, options, counts)
    else counts.images += await addMissing(ctx, target, missing, report)
  }
  const selected = parts.map((part) => {
    const newest = planned.get(keyOf(part))
    const state =
      newest === undefined ? states.get(part.number) : { newest, exists: true, boardId: target.boardId, openedMs: null }
    return selectPending(part, state)
  })
  const pending = selected.flatMap((one) => one.pending ?? [])
  for (const { thread, posts } of pending) planned.set(keyOf(thread), posts.at(-1)?.number ?? thread.number)
  const texts = await readTexts(ctx, pending, target)
  reportLosses(pending, texts, target, report)
  const reportAll = (leftOut: LeftOut[]) => {
    for (const { number, reason } of leftOut) report(`/${target.name}/${number}`, reason)
  }
  if (dryRun || pending.length === 0) {
    reportAll(selected.flatMap(({ leftOut }) => leftOut))
    await countPending(pending, texts, target, options, counts)
    return async () => 0
  }
  const illustrated = listIllustrated(pending.map(({ thread, posts }) => ({ ...thread, posts })))
  const images = await storeImages(ctx, illustrated, target.name, report)
  return async () => {
    const written = await writeBatch(ctx, target, parts, { texts, images })
    reportAll(written.leftOut)
    counts.threads += written.threads
    counts.posts += written.posts
    counts.images += written.images
    return written.heldMs
  }
}

const keyOf = ({ board, number }: ImportedThread) => `${board}/${number}`

/** Looks for changes in posts that an earlier run has imported, and takes them over with `--update`. */
async function compareKnown(
  ctx: Context,
  target: Target,
  parts: ImportedThread[],
  states: Awaited<ReturnType<typeof readThreadStates>>,
  { dryRun, update }: ImportOptions,
  { tally, hasImages }: ImportProgress,
): Promise<void> {
  const known = parts.flatMap((thread) => {
    const newest = states.get(thread.number)?.newest ?? 0
    return thread.posts.filter(({ number }) => number <= newest).map((post) => ({ thread, post }))
  })
  const changes = await findChanges(ctx, target, known, createToText(ctx, target), hasImages)
  tally.add(target.name, changes)
  if (!update || dryRun || changes.length === 0) return
  await takeOver(ctx, target, changes, new Map(known.map(({ post }) => [post.number, post])))
}

function createToText({ secrets }: Context, target: Target) {
  const { name: board, ranges, defaultName } = target
  const place = {
    ...{ board, defaultName },
    toId: createToId(target),
    toIdOnBoard: createToIdOnBoard(target),
    keepsNumbers: ranges.every(({ shift }) => shift === 0),
    secrets,
  }
  return (post: ImportedPost, thread: ImportedThread) => toPostText(post, { ...place, thread: thread.number })
}

/** Converts the texts before the transaction, to keep it short. Skips posts whose number another one already has. */
async function readTexts(ctx: Context, pending: Pending[], target: Target): Promise<Map<number, PostText>> {
  const toText = createToText(ctx, target)
  const texts = new Map<number, PostText>()
  for (const { thread, posts } of pending) {
    for (const post of posts) {
      if (!texts.has(post.number)) texts.set(post.number, toText(post, thread))
      await giveWay()
    }
  }
  return texts
}

/** Reports what this site does not keep of the posts that it imports. */
function reportLosses(
  pending: Pending[],
  texts: ReadonlyMap<number, PostText>,
  { name }: Target,
  report: ReportProblem,
): void {
  for (const { thread, isNew, posts } of pending) {
    for (const lost of (isNew && thread.lost) || []) report(`/${name}/${thread.number}`, lost)
    for (const { number, otherFiles = [] } of posts) {
      for (const file of otherFiles)
        report(`/${name}/${number}`, `file ${file} left out: it is not an image, or its name is not valid`)
      if (texts.get(number)?.isCut) report(`/${name}/${number}`, 'text cut: it is too long')
    }
  }
}

async function countPending(
  pending: Pending[],
  texts: ReadonlyMap<number, PostText>,
  target: Target,
  options: ImportOptions,
  counts: ImportCounts,
): Promise<void> {
  const bytes = [...texts.values()].reduce((sum, { cost }) => sum + cost.bytes, 0)
  const added = { threads: pending.filter(({ isNew }) => isNew).length, posts: 0 }
  for (const { posts } of pending) {
    added.posts += posts.length
    await planImages(target, posts, options, counts)
  }
  counts.threads += added.threads
  counts.posts += added.posts
  options.plan?.add(target.name, { ...added, textBytes: bytes })
}

async function planImages(
  { name }: Target,
  posts: ImportedPost[],
  { report, plan }: ImportOptions,
  counts: ImportCounts,
): Promise<void> {
  const images = await listUsableImages(posts, name, report)
  counts.images += images.length
  plan?.addImages(name, images)
}
