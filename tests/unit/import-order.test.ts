import { expect, test } from 'vitest'
import { readInOrder } from '#server/import/order.ts'
import { splitParts } from '#server/import/parts.ts'
import { surveyBoards } from '#server/import/survey.ts'
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
  sage: false,
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

test('splits long parts after a number of posts or images', async () => {
  const long = { ...part('a', 1, []), posts: [1, 2, 3, 4, 5].map((number) => post(number)) }
  const illustrated = { ...part('a', 6, []), posts: [post(6, 9), post(7, 1), post(8), post(9, 1)] }
  const parts = (async function* () {
    yield long
    yield illustrated
  })()
  const split = await collect(splitParts(parts, { posts: 2, images: 5 }))
  expect(split.map(({ posts }) => posts.map(({ number }) => number))).toEqual([[1, 2], [3, 4], [5], [6, 7], [8, 9]])
  expect(
    (
      await collect(
        splitParts(
          (async function* () {
            yield illustrated
          })(),
          { posts: 9, images: 4 },
        ),
      )
    ).length,
  ).toBe(2)
})
