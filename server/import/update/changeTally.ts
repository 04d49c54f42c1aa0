import { formatCount } from '#server/core/cli/terminal.ts'
import type { ReportProblem } from '#server/import/types.ts'
import type { PostChange } from './sourceChanges.ts'

const SHOWN_NUMBERS = 20

type Kind = 'gone' | 'text' | 'images' | 'state'

/** Counts what the source has changed since the last run, by board. */
export class ChangeTally {
  private readonly numbers = new Map<string, Record<Kind, number[]>>()
  /** boards with a thread that another source has imported: this source says nothing about their other posts */
  readonly mixed = new Set<string>()

  add(board: string, changes: PostChange[]): void {
    for (const { number, text, deletedImages, flags } of changes) {
      const own = this.of(board)
      if (text) own.text.push(number)
      if (deletedImages.length > 0) own.images.push(number)
      if (flags.length > 0) own.state.push(number)
    }
  }

  addGone(board: string, numbers: number[]): void {
    this.of(board).gone.push(...numbers)
  }

  get total(): number {
    return [...this.numbers.values()].flatMap((one) => Object.values(one).flat()).length
  }

  report(report: ReportProblem): void {
    for (const [board, { gone, text, images, state }] of this.numbers) {
      const line = (numbers: number[], noun: string, one: string, many: string) => {
        if (numbers.length === 0) return
        const listed = numbers.slice(0, SHOWN_NUMBERS).join(', ') + (numbers.length > SHOWN_NUMBERS ? ', …' : '')
        const what = `${formatCount(numbers.length, noun)} ${numbers.length === 1 ? one : many}`
        report(`/${board}/`, `${what}: ${listed}. --update takes this over`, 'changed')
      }
      line(gone, 'post', 'is public here, but no longer in the source', 'are public here, but no longer in the source')
      line(images, 'post', 'has images that the source has deleted', 'have images that the source has deleted')
      line(text, 'post', 'has another text in the source', 'have another text in the source')
      line(state, 'thread', 'has another state in the source', 'have another state in the source')
    }
  }

  private of(board: string): Record<Kind, number[]> {
    const own = this.numbers.get(board) ?? { gone: [], text: [], images: [], state: [] }
    this.numbers.set(board, own)
    return own
  }
}
