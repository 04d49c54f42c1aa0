import type { CommandServices } from '#server/commands/command.ts'
import { formatCount } from '#server/core/cli/terminal.ts'
import type { Context } from '#server/core/context.ts'
import { ChangeTally } from './changeTally.ts'
import { findGone, removeGone } from './gonePosts.ts'
import { type ImportProgress, importBatch } from './importBatch.ts'
import { readInOrder } from './order.ts'
import { countPostImages, splitParts } from './parts.ts'
import { findTarget, leaveOutReserved, listImportedBoards, reserveNumbers, type Span, type Target } from './ranges.ts'
import { type BoardSurvey, surveyBoards } from './survey.ts'
import {
  type ImportCounts,
  ImportError,
  type ImportedBoard,
  type ImportedThread,
  type ImportOptions,
  type ImportSource,
} from './types.ts'

/** Limits a transaction: the embedded database answers nobody else meanwhile. */
const BATCH_POSTS = 1000
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
  const surveys = await surveyBoards(source, listed, await listImportedBoards(services), {
    progress: options.progress,
    report: (where, _what, outcome) => outcome !== 'kept' && unread.add(where),
  })
  const allowed = await leaveOutReserved(services, listed, options.report)
  const boards = allowed.flatMap((one) => {
    const span = surveys.get(one.name)?.span
    if (!span) options.report(`/${one.name}/`, 'board left out: it has no posts')
    return span ? { ...one, span } : []
  })
  const numbers = { into: options.into, sharesNumbers: await source.sharesNumbers() }
  rejectSameIds(await Promise.all(boards.map((one) => findTarget(services, one, options.into))))
  const targets = options.dryRun
    ? new Map(
        await Promise.all(boards.map(async (one) => [one.name, await planTarget(services, one, options)] as const)),
      )
    : await reserveNumbers(services, boards, numbers)
  const counts = { boards: boards.length, threads: 0, posts: 0, images: 0 }
  const imported = new Map([...surveys].filter(([name]) => targets.has(name)))
  const threads = withBumps(readInOrder(source, imported, options.report), imported)
  const ctx = asContext(services)
  const tally = new ChangeTally()
  const progress = { counts, planned: new Map(), tally, hasImages: source.hasImages }
  await importThreads(ctx, threads, targets, options, progress)
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
    if (update && !dryRun) await removeGone(ctx, target, gone)
  }
}

/** Only the part with the opening post says when its thread was bumped. */
async function* withBumps(
  parts: AsyncIterable<ImportedThread>,
  surveys: ReadonlyMap<string, BoardSurvey>,
): AsyncGenerator<ImportedThread> {
  for await (const part of parts) yield { ...part, bumpedAt: surveys.get(part.board)?.bumps.get(part.number) ?? null }
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
async function planTarget(
  services: CommandServices,
  board: ImportedBoard & { span: Span },
  { into }: ImportOptions,
): Promise<Target> {
  const target = await findTarget(services, board, into)
  const known = Math.max(0, ...target.ranges.map(({ last }) => last))
  return {
    ...target,
    ranges: [...target.ranges, { first: known + 1, last: Math.max(known, board.span.highest), shift: 0 }],
  }
}

async function importThreads(
  ctx: Context,
  threads: AsyncIterable<ImportedThread>,
  targets: Map<string, Target>,
  options: ImportOptions,
  progress: ImportProgress,
): Promise<void> {
  const { counts } = progress
  let batch: ImportedThread[] = []
  let numbers = new Set<number>()
  let size = { posts: 0, images: 0 }
  const flush = async () => {
    const target = targets.get(batch[0]?.board ?? '')
    if (target) await importBatch(ctx, target, batch, options, progress)
    batch = []
    numbers = new Set()
    size = { posts: 0, images: 0 }
    options.progress(`Importing: ${formatCount(counts.threads, 'thread')}, ${formatCount(counts.posts, 'post')}`)
  }
  for await (const part of splitParts(threads, { posts: BATCH_POSTS, images: BATCH_IMAGES })) {
    const isFull = size.posts + part.posts.length > BATCH_POSTS || size.images >= BATCH_IMAGES
    // A batch has each thread once: a later part continues after the posts of the earlier one.
    if (isFull || numbers.has(part.number) || (batch[0] && batch[0].board !== part.board)) await flush()
    batch.push(part)
    numbers.add(part.number)
    size.posts += part.posts.length
    size.images += part.posts.reduce((sum, post) => sum + countPostImages(post), 0)
  }
  await flush()
}

/** Creates the parts of a request's context that storing images needs. The quotas of networks do not apply. */
function asContext(services: CommandServices): Context {
  const config = { ...services.config, rateLimit: false }
  return { ...services, config, address: '' } as Context
}
