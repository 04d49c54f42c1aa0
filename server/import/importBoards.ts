import { asContext, type CommandServices } from '#server/commands/command.ts'
import type { Context } from '#server/core/context.ts'
import { ChangeTally } from '#server/import/update/changeTally.ts'
import { findGone, removeGone } from '#server/import/update/gonePosts.ts'
import { type ImportProgress, prepareBatch } from '#server/import/write/prepareBatch.ts'
import {
  findTarget,
  leaveOutReserved,
  listImportedBoards,
  reserveNumbers,
  type Target,
} from '#server/import/write/ranges.ts'
import { splitBatches } from './batches.ts'
import { describeProgress } from './progress.ts'
import { type BoardSurvey, readInOrder, surveyBoards } from './survey.ts'
import { type ImportCounts, ImportError, type ImportedThread, type ImportOptions, type ImportSource } from './types.ts'

/** The aim for a transaction: the embedded database answers nobody else meanwhile. The number of posts follows it. */
const BATCH_MS = 100
const [MIN_BATCH, FIRST_BATCH, MAX_BATCH] = [100, 300, 600]
/** Limits the files that a crash leaves without posts. */
const BATCH_IMAGES = 40

/** Imports all boards of a source. Posts that this site has already are skipped. @throws ImportError */
export async function importBoards(
  services: CommandServices,
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportCounts> {
  const listed = await source.boards(options.report)
  if (options.into !== undefined && listed.length !== 1)
    throw new ImportError('Cannot import: --into needs the name of one board, after the source')
  const unread = new Set<string>()
  const known = await listImportedBoards(services)
  const surveys = await surveyBoards(source, listed, known, {
    progress: options.progress,
    report: (where, _what, outcome) => outcome !== 'kept' && unread.add(where),
  })
  const allowed = await leaveOutReserved(services, listed, options.report)
  const boards = allowed.flatMap((one) => {
    const span = surveys.get(one.name)?.span
    if (!span) options.report(`/${one.name}/`, 'board left out: it has no posts')
    return span ? { ...one, span } : []
  })
  if (boards.length === 0) throw new ImportError('Cannot import: no board is left. The lines above say why')
  const numbers = { into: options.into, sharesNumbers: await source.sharesNumbers() }
  const found = await Promise.all(boards.map((one) => findTarget(services, one, options.into)))
  rejectSameIds(found)
  const targets = options.dryRun
    ? new Map(found.map((target, index) => [target.name, planTarget(target, boards[index]?.span.highest ?? 0)]))
    : await reserveNumbers(services, boards, numbers)
  const counts = { boards: boards.length, threads: 0, posts: 0, images: 0 }
  const imported = new Map([...surveys].filter(([name]) => targets.has(name)))
  const threads = withBumps(readInOrder(source, imported, options.report), imported)
  const ctx = asContext(services)
  const tally = new ChangeTally()
  const progress = { counts, known, planned: new Map(), tally, hasImages: source.hasImages }
  const total = [...imported.values()].flatMap((one) => [...one.threads.values()]).reduce((sum, one) => sum + one, 0)
  await importThreads(ctx, threads, targets, total, options, progress)
  await compareDeletions(ctx, [...targets.values()], imported, { tally, unread }, options)
  if (!options.update || options.dryRun) tally.report(options.report)
  return { ...counts, ...(options.update && { updated: tally.total }) }
}

/** Looks for posts that the source no longer has, and removes them with `--update`. */
async function compareDeletions(
  ctx: Context,
  targets: Target[],
  surveys: ReadonlyMap<string, BoardSurvey>,
  { tally, unread }: { tally: ChangeTally; unread: ReadonlySet<string> },
  { dryRun, update }: ImportOptions,
): Promise<void> {
  // A line that cannot be read may have had any post.
  if ([...unread].some((where) => !where.startsWith('/'))) return
  for (const target of targets) {
    const numbers = surveys.get(target.name)?.numbers
    if (!numbers || tally.mixed.has(target.name)) continue
    const gone = await findGone(ctx, target, numbers, unread)
    tally.addGone(
      target.name,
      gone.flatMap(({ numbers }) => numbers),
    )
    if (update && !dryRun) await removeGone(ctx, gone)
  }
}

/** Gives all parts of a thread the bumps that only the part with the opening post knows. */
async function* withBumps(
  parts: AsyncIterable<ImportedThread>,
  surveys: ReadonlyMap<string, BoardSurvey>,
): AsyncGenerator<ImportedThread> {
  for await (const part of parts) yield { ...part, bumpedAt: null, ...surveys.get(part.board)?.bumps.get(part.number) }
}

/** Two boards of the source can have the same id here, such as `a_b` and `a-b`. */
function rejectSameIds(targets: Target[]): void {
  const names = new Map<string, string>()
  for (const { name, boardId } of targets) {
    const other = names.get(boardId)
    if (other !== undefined)
      throw new ImportError(
        `Cannot import /${other}/ and /${name}/ together: both would be /${boardId}/. Import one with --into`,
      )
    names.set(boardId, name)
  }
}

/** A dry run reserves nothing, so numbers stay what they are. */
function planTarget(target: Target, highest: number): Target {
  const known = Math.max(0, ...target.ranges.map(({ last }) => last))
  return { ...target, ranges: [...target.ranges, { first: known + 1, last: Math.max(known, highest), shift: 0 }] }
}

/** Imports the threads in batches. Prepares each batch while the one before is written. @param total number of posts */
async function importThreads(
  ctx: Context,
  threads: AsyncIterable<ImportedThread>,
  targets: Map<string, Target>,
  total: number,
  options: ImportOptions,
  progress: ImportProgress,
): Promise<void> {
  const start = performance.now()
  let done = 0
  const limit = { posts: FIRST_BATCH, images: BATCH_IMAGES }
  let writing = Promise.resolve()
  try {
    for await (const batch of splitBatches(threads, limit)) {
      const target = targets.get(batch[0]?.board ?? '')
      if (!target) continue
      const write = await prepareBatch(ctx, target, batch, options, progress, writing)
      await writing
      writing = write().then((heldMs) => {
        const size = batch.reduce((sum, { posts }) => sum + posts.length, 0)
        done += size
        if (size >= MIN_BATCH && heldMs > 0) limit.posts = adaptBatch(limit.posts, size / heldMs)
        options.progress(describeProgress(done, total, performance.now() - start))
      })
      // The loop awaits it. Node would end the process, because that happens later.
      writing.catch(() => {})
    }
  } finally {
    await writing
  }
}

/** @param perMs posts that the last transaction has written per ms, without the waits before and after it */
const adaptBatch = (posts: number, perMs: number): number =>
  Math.round(Math.min(MAX_BATCH, 2 * posts, Math.max(MIN_BATCH, perMs * BATCH_MS)))
