import { parseArgs } from 'node:util'
import { formatCount, printOutput } from '#server/core/cli/terminal.ts'
import { addDefaultPrograms } from '#server/features/program/service.ts'
import { prepareBoards } from '#server/seed/boards.ts'
import { type Amounts, fillBoard, type SeedCounts } from '#server/seed/fillBoard.ts'
import { asContext, runCommand, UsageError } from './command.ts'

const USAGE = `npm run seed -- [--threads 200] [--comments 250] [--pictures 12] [--board technology]
  Adds sample threads, posts and programs.
  --threads N     number of threads
  --comments N    number of comments in the busiest thread; the others get a few each
  --pictures N    number of posts with a picture
  --board ID      id or name of the board; it is created if it is missing
  The values above are the defaults.`

const option = { type: 'string' } as const
const options = { threads: option, comments: option, pictures: option, board: option }

runCommand(USAGE, async (services, args) => {
  const { board, ...amounts } = readOptions(args)
  const ctx = asContext(services)
  const now = services.now()
  const { main, others } = await prepareBoards(ctx, board)
  report(main.id, await fillBoard(ctx, main.id, amounts, now))
  for (const { id } of others) {
    const few = { threads: Math.min(6, amounts.threads), comments: Math.min(12, amounts.comments) }
    report(id, await fillBoard(ctx, id, { ...few, pictures: Math.min(2, amounts.pictures) }, now))
  }

  printOutput(`Added ${formatCount(await addDefaultPrograms(services, true), 'program')}`)

  function report(boardId: string, counts: SeedCounts): void {
    const { threads, comments, replies, pictures, rejected } = counts
    if (rejected > 0) {
      const limit = formatCount(services.config.limits.threadPosts, 'post')
      printOutput(
        `A thread of /${boardId}/ is full at ${limit} (THREAD_POST_LIMIT): ${formatCount(rejected, 'post')} were left out`,
      )
    }
    const parts = [
      formatCount(threads, 'thread'),
      formatCount(comments, 'comment'),
      formatCount(replies, 'reply', 'replies'),
      formatCount(pictures, 'picture'),
    ]
    printOutput(`Seeded /${boardId}/: ${parts.join(', ')}`)
  }
})

function readOptions(args: string[]): Amounts & { board: string | undefined } {
  // Removes known options without a value, so that they get their defaults.
  const isEmpty = (arg: string, at: number) =>
    arg.startsWith('--') && Object.hasOwn(options, arg.slice(2)) && (args[at + 1]?.startsWith('--') ?? true)
  const { values } = parseArgs({ args: args.filter((arg, at) => !isEmpty(arg, at)), options })
  return {
    threads: parseAmount(values.threads ?? '200', 1),
    comments: parseAmount(values.comments ?? '250'),
    pictures: parseAmount(values.pictures ?? '12'),
    board: values.board,
  }
}

function parseAmount(text: string, min = 0): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < min) throw new UsageError()
  return Number(text)
}
