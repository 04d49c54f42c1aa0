import { describe, expect, test, vi } from 'vitest'
import { printOutput, showProgress } from '#server/core/cli/terminal.ts'
import type { Context } from '#server/core/context.ts'
import { splitBatches } from '#server/import/batches.ts'
import { ImportPlan } from '#server/import/importPlan.ts'
import { describeProgress } from '#server/import/progress.ts'
import { readInOrder, surveyBoards } from '#server/import/survey.ts'
import type { ImportedPost, ImportedThread, ImportSource } from '#server/import/types.ts'

const post = (number: number, images = 0): ImportedPost => ({
  number,
  parent: null,
  author: '',
  subject: '',
  body: { text: '' },
  links: [],
  time: new Date(1),
  spoiler: false,
  email: '',
  images: Array.from({ length: images }, () => ({ name: 'x', location: '' })),
})
const part = (board: string, number: number, numbers: number[], locked = false): ImportedThread => ({
  board,
  number,
  locked,
  pinned: false,
  bumplocked: false,
  cyclical: false,
  posts: numbers.map((one) => post(one)),
})
const collect = async <T>(items: AsyncIterable<T>) => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function read(parts: ImportedThread[], maxSorted: number) {
  const problems: string[] = []
  let reads = 0
  const source: ImportSource = {
    boards: async () => [],
    async *threads(boards, report) {
      reads++
      report('/a/1', 'post left out')
      for (const one of parts) if (boards.includes(one.board)) yield { ...one, posts: [...one.posts] }
    },
    hasImages: true,
    sharesNumbers: async () => false,
  }
  const boards = ['a', 'b'].map((name) => ({ name, title: name, description: '' }))
  const surveys = await surveyBoards(source, boards, new Set(), { progress: () => {}, report: () => {} })
  reads = 0
  const threads = await collect(readInOrder(source, surveys, (where) => problems.push(where), maxSorted))
  const found = threads.map(({ board, locked, posts }) => [board, locked, posts.map(({ number }) => number)])
  return { found, problems, reads }
}

test('reads a source in order once', async () => {
  const parts = [part('a', 1, [1, 3]), part('a', 2, [2, 4]), part('b', 1, [1]), part('a', 1, [5, 6])]
  expect(await read(parts, 3)).toEqual({
    found: parts.map(({ board, posts }) => [board, false, posts.map(({ number }) => number)]),
    problems: ['/a/1'],
    reads: 1,
  })
})

test('joins the parts of threads that are not in order, with a limited number of posts in memory', async () => {
  const parts = [
    part('b', 1, [1, 2]),
    part('a', 9, [9, 12]),
    part('a', 2, [5, 7]),
    part('a', 1, [1, 3]),
    part('a', 2, [2, 4], true),
  ]
  expect(await read(parts, 4)).toEqual({
    found: [
      ['b', false, [1, 2]],
      ['a', false, [1, 3]],
      ['a', true, [2, 4, 5, 7]],
      ['a', false, [9, 12]],
    ],
    problems: ['/a/1', '/a/1'],
    reads: 4,
  })
  expect(await read(parts, 100)).toMatchObject({ problems: ['/a/1', '/a/1'], reads: 2 })
})

describe('batches', () => {
  const batchesOf = async (parts: ImportedThread[], limit: { posts: number; images: number }) => {
    const source = (async function* () {
      yield* parts
    })()
    const batches = await collect(splitBatches(source, limit))
    return batches.map((batch) => batch.map(({ posts }) => posts.map(({ number }) => number)))
  }
  const long = part('a', 1, [1, 2, 3, 4, 5])

  test('end after a number of posts or images, inside a thread only if it is longer', async () => {
    const illustrated = { ...part('a', 6, []), posts: [post(6, 9), post(7, 1), post(8), post(9, 1)] }
    expect(await batchesOf([long, illustrated], { posts: 2, images: 5 })).toEqual([
      [[1, 2]],
      [[3, 4]],
      [[5]],
      [[6, 7]],
      [[8, 9]],
    ])
    expect(await batchesOf([illustrated], { posts: 9, images: 4 })).toEqual([[[6]], [[7, 8, 9]]])
  })

  test('have posts of one board, and each thread once', async () => {
    const parts = [part('a', 1, [1]), part('a', 2, [2]), part('a', 1, [3]), part('b', 1, [1]), part('b', 4, [])]
    expect(await batchesOf(parts, { posts: 9, images: 9 })).toEqual([[[1], [2]], [[3]], [[1], []]])
    expect(await batchesOf([], { posts: 9, images: 9 })).toEqual([])
  })
})

test.each([
  [0, 100, 5000, 'Importing: 0 of 100 posts'],
  [50, 100, 999, 'Importing: 50 of 100 posts'],
  [1000, 5000, 4000, 'Importing: 1,000 of 5,000 posts, 250 per s, 16 s left'],
  [10_000, 1_000_000, 10_000, 'Importing: 10,000 of 1,000,000 posts, 1,000 per s, 17 min left'],
  [100, 90_000, 14_000, 'Importing: 100 of 90,000 posts, 7 per s, 3.5 h left'],
  [120, 100, 10_000, 'Importing: 120 of 100 posts, 12 per s, 0 s left'],
])('after %i of %i posts in %i ms, shows "%s"', (done, total, ms, line) => {
  expect(describeProgress(done, total, ms)).toBe(line)
})

test('a dry run estimates that an import copies the old site as long, and writes three times as long as it reads', async () => {
  vi.useFakeTimers()
  try {
    const plan = new ImportPlan()
    vi.advanceTimersByTime(60_000)
    plan.startReading()
    vi.advanceTimersByTime(20_000)
    const lines = await plan.describe({} as Context)
    expect(lines).toContain('  time   2 min (posts 2 min, images 0 s)')
  } finally {
    vi.useRealTimers()
  }
})

test('progress is a line every ten seconds where no terminal shows it', () => {
  vi.useFakeTimers()
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const [show, silent] = [showProgress(10_000), showProgress()]
    for (const line of ['a', 'b', 'c', 'd', 'e']) {
      show(line)
      silent(line)
      vi.advanceTimersByTime(5000)
    }
    expect(write.mock.calls.map(([line]) => line)).toEqual(['c\n', 'e\n'])
  } finally {
    write.mockRestore()
    vi.useRealTimers()
  }
})

test('a line of the result replaces the progress on a terminal', () => {
  const { isTTY } = process.stdout
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    for (process.stdout.isTTY of [true, false]) printOutput('/b/1: left out')
    expect(write.mock.calls.map(([line]) => line)).toEqual(['\x1b[K/b/1: left out\n', '/b/1: left out\n'])
  } finally {
    process.stdout.isTTY = isTTY
    write.mockRestore()
  }
})
