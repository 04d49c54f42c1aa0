import type { CommandServices } from '#server/core/cli/command.ts'
import { formatCount } from '#server/core/cli/terminal.ts'
import type { Context } from '#server/core/context.ts'
import { MAX_POST_IMAGES } from '#src/contract/image.ts'
import { importBatch } from './importBatch.ts'
import { connectQuotes } from './quotes.ts'
import { findTarget, leaveOutReserved, reserveNumbers, type Span, type Target } from './ranges.ts'
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
  const spans = await findSpans(source, listed, options)
  const allowed = await leaveOutReserved(services, listed, options.report)
  const boards = allowed.flatMap((one) => {
    const span = spans.get(one.name)
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
  await importThreads(asContext(services), source, targets, options, counts)
  if (!options.dryRun) for (const target of targets.values()) await connectQuotes(services, target)
  return counts
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

/** Reads the source once, to know the numbers of its boards. */
async function findSpans(
  source: ImportSource,
  boards: ImportedBoard[],
  { progress }: ImportOptions,
): Promise<Map<string, Span>> {
  const spans = new Map<string, Span>()
  let posts = 0
  const ignore = () => {}
  for await (const part of source.threads(
    boards.map(({ name }) => name),
    ignore,
  )) {
    const numbers = part.posts.map(({ number }) => number)
    const span = spans.get(part.board) ?? { lowest: part.number, highest: 0 }
    spans.set(part.board, { lowest: Math.min(span.lowest, part.number), highest: Math.max(span.highest, ...numbers) })
    posts += part.posts.length
    progress(`Reading: ${formatCount(posts, 'post')}`)
  }
  return spans
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
  source: ImportSource,
  targets: Map<string, Target>,
  options: ImportOptions,
  counts: ImportCounts,
): Promise<void> {
  let batch: ImportedThread[] = []
  let size = { posts: 0, images: 0 }
  const flush = async () => {
    const target = targets.get(batch[0]?.board ?? '')
    if (target) await importBatch(ctx, target, batch, options, counts)
    batch = []
    size = { posts: 0, images: 0 }
    options.progress(`Importing: ${formatCount(counts.threads, 'thread')}, ${formatCount(counts.posts, 'post')}`)
  }
  for await (const part of source.threads([...targets.keys()], options.report)) {
    if (batch[0] && batch[0].board !== part.board) await flush()
    batch.push(part)
    size.posts += part.posts.length
    size.images += part.posts.reduce((sum, { images }) => sum + Math.min(images.length, MAX_POST_IMAGES), 0)
    if (size.posts >= BATCH_POSTS || size.images >= BATCH_IMAGES) await flush()
  }
  await flush()
}

/** Creates the parts of a request's context that storing images needs. The quotas of networks do not apply. */
function asContext(services: CommandServices): Context {
  const config = { ...services.config, rateLimit: false }
  return { ...services, config, address: '' } as Context
}
