import { availableParallelism } from 'node:os'
import { formatCount } from '#server/core/cli/terminal.ts'
import type { Context } from '#server/core/context.ts'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { encodeImage } from '#server/import/images/images.ts'
import { PAUSE_MS } from '#server/import/source/readPolitely.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { formatTime } from './progress.ts'
import type { PlanCollector, ReportProblem, UsableImage } from './types.ts'

/** An import takes this many times as long as a dry run reads the source, by `npm run bench -- import`. */
const TIME_OF_DRY_RUN = 3
/** The embedded database grew by 81 MB for 100,000 posts of 80 bytes, and by 140 MB for posts of 250, with indexes. */
const BYTES_PER_POST = 480
const BYTES_PER_TEXT_BYTE = 3.4
/** images that are encoded to measure it */
const SAMPLED = 12

type Counts = { threads: number; posts: number; images: number; textBytes: number; imageBytes: number }

/** Collects what a dry run finds, so that the operator can decide about the move. */
export class ImportPlan implements PlanCollector {
  private readonly boards = new Map<string, Counts>()
  private readonly reasons = new Map<string, number>()
  private readonly sample: UsableImage[] = []
  private remoteImages = 0
  private copyMs = 0
  private start = performance.now()

  /** An import asks the old site for each thread again, with the same pauses. */
  startReading(): void {
    const now = performance.now()
    this.copyMs = now - this.start
    this.start = now
  }

  add(board: string, added: Partial<Counts>): void {
    const own = this.boards.get(board) ?? { threads: 0, posts: 0, images: 0, textBytes: 0, imageBytes: 0 }
    for (const name of Object.keys(added) as (keyof Counts)[]) own[name] += added[name] ?? 0
    this.boards.set(board, own)
  }

  addImages(board: string, images: UsableImage[]): void {
    this.add(board, { images: images.length, imageBytes: images.reduce((sum, { bytes }) => sum + bytes, 0) })
    const local = images.filter(({ image }) => !(image.location instanceof URL))
    this.remoteImages += images.length - local.length
    this.sample.push(...local.slice(0, SAMPLED - this.sample.length))
  }

  /** Counts reports without the names of files, which differ. */
  addReason(what: string, outcome?: Parameters<ReportProblem>[2]): void {
    // It says which posts are here already.
    if (outcome === 'changed') return
    const reason = what.replace(/^(image|file) .* left out: /, '$1 left out: ')
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
  }

  /** @returns the lines of the report; encodes some images to measure their time and size */
  async describe(ctx: Context): Promise<string[]> {
    const readMs = performance.now() - this.start
    const all = { threads: 0, posts: 0, images: 0, textBytes: 0, imageBytes: 0 }
    for (const own of this.boards.values())
      for (const name of Object.keys(all) as (keyof Counts)[]) all[name] += own[name]
    const row = (name: string, { threads, posts, images }: Counts) =>
      [name.padEnd(16), ...[threads, posts, images].map((count) => count.toLocaleString('en').padStart(12))].join('')
    const reasons = [...this.reasons].sort(([, a], [, b]) => b - a)
    return [
      ['board'.padEnd(16), ...['threads', 'posts', 'images'].map((name) => name.padStart(12))].join(''),
      ...[...this.boards].map(([name, own]) => row(`/${name}/`, own)),
      ...(this.boards.size > 1 ? [row('all', all)] : []),
      ...(reasons.length > 0 ? ['', 'Left out, or not as on the old site:'] : []),
      ...reasons.map(([reason, count]) => `${count.toLocaleString('en').padStart(8)}  ${reason}`),
      '',
      ...(await this.estimate(ctx, all, readMs)),
    ]
  }

  private async estimate(ctx: Context, all: Counts, readMs: number): Promise<string[]> {
    const { ms, growth, count } = await this.measureImages(ctx)
    const local = all.images - this.remoteImages
    const postsMs = this.copyMs + readMs * TIME_OF_DRY_RUN
    const imagesMs = local * ms + this.remoteImages * PAUSE_MS
    const database = all.posts * BYTES_PER_POST + all.textBytes * BYTES_PER_TEXT_BYTE
    const sampled = count === 0 ? '' : `, and ${formatCount(count, 'image')} that it encoded`
    const unknown = this.remoteImages === 0 ? '' : '; the sizes of images on the old site are not known'
    return [
      `Estimated from the speed of this run${sampled}. A busy machine takes longer:`,
      `  time   ${formatTime(postsMs + imagesMs)} (posts ${formatTime(postsMs)}, images ${formatTime(imagesMs)})`,
      `  space  ${formatBytes(database)} in the database, ${formatBytes(all.imageBytes * growth)} for images${unknown}`,
    ]
  }

  private async measureImages(ctx: Context): Promise<{ ms: number; growth: number; count: number }> {
    const start = performance.now()
    const sum = { count: 0, before: 0, after: 0 }
    await forEachConcurrently(this.sample, availableParallelism(), async ({ image, bytes }) => {
      const after = await encodeImage(ctx, image, 'comment')
      if (after === null) return
      sum.count++
      sum.before += bytes
      sum.after += after
    })
    if (sum.count === 0) return { ms: 0, growth: 1, count: 0 }
    return { ms: (performance.now() - start) / sum.count, growth: sum.after / sum.before, count: sum.count }
  }
}
