import type { CommandServices } from '#server/core/cli/command.ts'
import { formatCount } from '#server/core/cli/terminal.ts'
import type { Context } from '#server/core/context.ts'
import { checkImage, type PostImage, storeImage } from './images.ts'
import { type Pending, readThreadStates, selectPending } from './importedState.ts'
import { type PostText, toPostText } from './posts.ts'
import { createToId, findTarget, reserveNumbers, type Span, type Target } from './ranges.ts'
import { ImportError, type ImportedBoard, type ImportedThread, type ImportSource, type ReportProblem } from './types.ts'
import { connectQuotes, writeBatch } from './writeBatch.ts'

/** Limits a transaction: the embedded database answers nobody else meanwhile. */
const BATCH_POSTS = 1000
/** Limits the files that a crash leaves without posts. */
const BATCH_IMAGES = 40
/** images at the same time */
const IMAGES_AT_ONCE = 4

export type ImportOptions = {
  /** id of the board to import into; only for one board */
  into?: string | undefined
  dryRun: boolean
  report: ReportProblem
  progress: (line: string) => void
}
export type ImportCounts = { boards: number; threads: number; posts: number; images: number }

/** Imports all boards of a source. Posts that this site has already are skipped. @throws ImportError */
export async function importBoards(
  services: CommandServices,
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportCounts> {
  const listed = await source.boards()
  if (options.into !== undefined && listed.length !== 1)
    throw new ImportError('Cannot import: --into needs the name of one board, after the source')
  const spans = await findSpans(source, listed, options)
  const boards = listed.flatMap((one) => {
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
    size.images += part.posts.filter(({ images }) => images.length > 0).length
    if (size.posts >= BATCH_POSTS || size.images >= BATCH_IMAGES) await flush()
  }
  await flush()
}

async function importBatch(
  ctx: Context,
  target: Target,
  parts: ImportedThread[],
  { dryRun, report }: ImportOptions,
  counts: ImportCounts,
): Promise<void> {
  const states = await readThreadStates(ctx.db, target.name, parts, createToId(target))
  const selected = parts.map((part) => selectPending(part, states.get(part.number)))
  const pending = selected.flatMap((one) => one.pending ?? [])
  const reportAll = (leftOut: { number: number; reason: string }[]) => {
    for (const { number, reason } of leftOut) report(`/${target.name}/${number}`, reason)
  }
  if (dryRun) {
    reportAll(selected.flatMap(({ leftOut }) => leftOut))
    await countPending(pending, target, report, counts)
    return
  }
  if (pending.length === 0) {
    reportAll(selected.flatMap(({ leftOut }) => leftOut))
    return
  }
  const images = await storeImages(ctx, pending, target, report)
  const written = await writeBatch(ctx, target, parts, { texts: readTexts(pending, target), images })
  reportAll(written.leftOut)
  counts.threads += written.threads
  counts.posts += written.posts
  counts.images += written.images
}

/** Converts the texts before the transaction, to keep it short. Of two posts with one number, the first is imported. */
function readTexts(pending: Pending[], target: Target): Map<number, PostText> {
  const { name: board, ranges } = target
  const place = { board, toId: createToId(target), keepsNumbers: ranges.every(({ shift }) => shift === 0) }
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
      let isFound = false
      for (const image of images) {
        const refusal = isFound ? ONE_IMAGE : await checkImage(image)
        if (refusal === null) isFound = true
        else report(`/${name}/${number}`, `image ${image.name} left out: ${refusal}`)
      }
      counts.images += Number(isFound)
    }
  }
}

const ONE_IMAGE = 'a post has one image'

/** Stores the first usable image of each post. */
async function storeImages(
  ctx: Context,
  pending: Pending[],
  { name }: Target,
  report: ReportProblem,
): Promise<Map<number, PostImage>> {
  const stored = new Map<number, PostImage>()
  const waiting = pending.flatMap(({ thread, posts }) =>
    posts.flatMap((post) => (post.images.length > 0 ? { post, isOpening: post.number === thread.number } : [])),
  )
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { number, parent, images } = next.post
      const kind = next.isOpening ? 'thread' : parent === null ? 'comment' : 'reply'
      for (const image of images) {
        const outcome = stored.has(number) ? ONE_IMAGE : await storeImage(ctx, image, kind)
        if (typeof outcome === 'string') report(`/${name}/${number}`, `image ${image.name} left out: ${outcome}`)
        else stored.set(number, outcome)
      }
    }
  }
  await Promise.all(Array.from({ length: IMAGES_AT_ONCE }, work))
  return stored
}

/** Creates the parts of a request's context that storing images needs. The quotas of networks do not apply. */
function asContext(services: CommandServices): Context {
  const config = { ...services.config, rateLimit: false }
  return { ...services, config, address: '' } as Context
}
