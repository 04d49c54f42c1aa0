import { parseArgs } from 'node:util'
import { type CommandServices, runCommand, usageError } from '#server/core/cli/command.ts'
import type { Context } from '#server/core/context.ts'
import { addMissingDefaultPrograms } from '#server/features/program/addDefaultPrograms.ts'
import { prepareBoards } from '#server/seed/boards.ts'
import { type Amounts, fillBoard, type Written } from '#server/seed/fill.ts'

const USAGE = `npm run seed -- [--threads 200] [--comments 250] [--pictures 12] [--board technology]
  --threads N     threads to write
  --comments N    comments of the busiest thread; the others get a few each
  --pictures N    posts with a picture
  --board ID      id or name of the board; made if it is missing
An option without a value has the one shown above.`

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

  say(`Added ${counted(await addMissingDefaultPrograms(services), 'program')}`)

  function report(boardId: string, written: Written): void {
    const { threads, comments, replies, pictures, full } = written
    if (full > 0) {
      const limit = counted(services.config.limits.threadPosts, 'post')
      say(`A thread of /${boardId}/ is full at ${limit} (THREAD_POST_LIMIT): ${counted(full, 'post')} left out`)
    }
    const parts = [
      counted(threads, 'thread'),
      counted(comments, 'comment'),
      counted(replies, 'reply', 'replies'),
      counted(pictures, 'picture'),
    ]
    say(`Seeded /${boardId}/: ${parts.join(', ')}`)
  }
})

function readOptions(args: string[]): Amounts & { board: string | undefined } {
  const option = { type: 'string' } as const
  const values = parse(args, { threads: option, comments: option, pictures: option, board: option })
  return {
    threads: atLeast(1, values.threads ?? '200'),
    comments: atLeast(0, values.comments ?? '250'),
    pictures: atLeast(0, values.pictures ?? '12'),
    board: values.board,
  }
}

function parse<T extends Record<string, { type: 'string' }>>(args: string[], options: T) {
  try {
    const isValue = (arg: string | undefined) => arg !== undefined && !arg.startsWith('--')
    const given = args.filter((arg, at) => isValue(arg) || arg.includes('=') || isValue(args[at + 1]))
    return parseArgs({ args: given, options }).values as { [K in keyof T]?: string }
  } catch {
    throw usageError()
  }
}

function atLeast(least: number, text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < least) throw usageError()
  return Number(text)
}

/** Nothing that writes posts asks for the parts only a serving site has, nor for who is there. */
function asContext(services: CommandServices): Context {
  return { ...services, address: '127.0.0.1', visitor: () => '', currentUser: async () => null } as Context
}

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const say = (line: string) => void process.stdout.write(`${line}\n`)
