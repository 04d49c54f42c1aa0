import { describe, expect, test } from 'vitest'
import { sortCatalog } from '#server/features/board/html/listHtml.ts'
import { type CatalogThread, catalogViewPath, matchesCatalogFilter, parseCatalogView } from '#src/contract/thread.ts'

const thread = (id: number, fields: Partial<CatalogThread> = {}): CatalogThread => ({
  id,
  boardId: 'tech',
  title: `Thread ${id}`,
  createdAt: new Date(id),
  lastActivity: new Date(id),
  commentCount: 0,
  replyCount: 0,
  imageCount: 0,
  locked: false,
  pinned: false,
  bumplocked: false,
  cyclical: false,
  spoiler: false,
  preview: 'Some text',
  picture: null,
  ...fields,
})

test('sorts by activity as given, by age or by replies, pinned threads first', () => {
  const threads = [
    thread(1, { pinned: true }),
    thread(3, { commentCount: 1, replyCount: 4 }),
    thread(4, { commentCount: 2 }),
    thread(2, { commentCount: 9 }),
  ]
  const ids = (sort: 'activity' | 'created' | 'replies') => sortCatalog(threads, sort).map(({ id }) => id)
  expect(ids('activity')).toEqual([1, 3, 4, 2])
  expect(ids('created')).toEqual([1, 4, 3, 2])
  expect(ids('replies')).toEqual([1, 2, 3, 4])
})

test.each([
  ['', true],
  ['  ', true],
  ['CAT', true],
  ['sleeps cat', true],
  ['cats', false],
  ['cat dog', false],
  ['photo sle', true],
])('filters by all words in title and text: %j', (filter, matches) => {
  expect(matchesCatalogFilter({ title: 'Photo of a Cat', preview: 'It sleeps.' }, filter)).toBe(matches)
})

describe('the URL of a catalog', () => {
  test.each([
    [{}, '/dtpchan/board/tech/catalog'],
    [{ sort: 'activity', filter: ' ' }, '/dtpchan/board/tech/catalog'],
    [{ sort: 'replies', filter: ' a&b ' }, '/dtpchan/board/tech/catalog?sort=replies&filter=a%26b'],
    [{ sort: '__proto__', filter: 'x' }, '/dtpchan/board/tech/catalog?filter=x'],
  ])('keeps a known order and a filter: %j', (search, path) => {
    expect(catalogViewPath('tech', parseCatalogView(search))).toBe(path)
  })

  test('shortens a long filter', () => {
    expect(parseCatalogView({ filter: 'x'.repeat(5000) }).filter).toHaveLength(100)
  })
})
