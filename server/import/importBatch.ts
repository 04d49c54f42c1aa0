import type { Context } from '#server/core/context.ts'
import type { ChangeTally } from './changeTally.ts'
import { isOtherThread, type LeftOut, type Pending, readThreadStates, selectPending } from './importedState.ts'
import { addMissing, findMissing } from './missingImages.ts'
import { countUsableImages, listIllustrated, storeImages } from './postImages.ts'
import { type PostText, toPostText } from './posts.ts'
import { createToId, createToIdOnBoard, type Target } from './ranges.ts'
import { findChanges } from './sourceChanges.ts'
import { takeOver } from './takeOver.ts'
import type { ImportCounts, ImportedPost, ImportedThread, ImportOptions, ReportProblem } from './types.ts'
import { writeBatch } from './writeBatch.ts'

/** The threads that a dry run has counted, with their newest posts, by board and number. */
export type PlannedThreads = Map<string, number>

export type ImportProgress = {
  counts: ImportCounts
  planned: PlannedThreads
  tally: ChangeTally
  hasImages: boolean
}

/** Imports parts of one board's threads, or only counts them in a dry run. Adds to the progress. */
export async function importBatch(
  ctx: Context,
  target: Target,
  parts: ImportedThread[],
  options: ImportOptions,
  progress: ImportProgress,
): Promise<void> {
  const { dryRun, report } = options
  const { counts, planned } = progress
  const states = await readThreadStates(ctx.db, target.name, parts, createToId(target))
  const known = parts.filter((part) => !isOtherThread(part, states.get(part.number)))
  if (known.length < parts.length) progress.tally.mixed.add(target.name)
  await compareKnown(ctx, target, known, states, options, progress)
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
  const texts = readTexts(ctx, pending, target)
  reportLosses(pending, texts, target, report)
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
  const written = await writeBatch(ctx, target, parts, { texts, images })
  reportAll(written.leftOut)
  counts.threads += written.threads
  counts.posts += written.posts
  counts.images += written.images
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
  const { name: board, ranges } = target
  const place = {
    board,
    toId: createToId(target),
    toIdOnBoard: createToIdOnBoard(target),
    keepsNumbers: ranges.every(({ shift }) => shift === 0),
    tripcodeKey: secrets.tripcodes,
  }
  return (post: ImportedPost, thread: ImportedThread) => toPostText(post, { ...place, thread: thread.number })
}

/** Converts the texts before the transaction, to keep it short. Skips posts whose number another one already has. */
function readTexts(ctx: Context, pending: Pending[], target: Target): Map<number, PostText> {
  const toText = createToText(ctx, target)
  const texts = new Map<number, PostText>()
  for (const { thread, posts } of pending) {
    for (const post of posts) if (!texts.has(post.number)) texts.set(post.number, toText(post, thread))
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
