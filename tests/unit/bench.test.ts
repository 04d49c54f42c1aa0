import { expect, test } from 'vitest'
import { checkAims } from '#tests/bench/aims.ts'
import { coresOf } from '#tests/bench/machine.ts'
import { findCommit } from '#tests/bench/otherBuild.ts'
import { digestProfile } from '#tests/bench/profile.ts'
import { formatTable, type Row } from '#tests/bench/report.ts'
import { formatFigure, median, medians, percentile } from '#tests/bench/statistics.ts'

test('computes percentiles and medians and formats figures', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1)
  expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile(hundred, 1)]).toEqual([50, 99, 100])
  expect(percentile([7], 0.5)).toBe(7)
  expect(percentile([], 0.5)).toBeNaN()
  expect([median([9, 1, 5]), median([1, 2, 3, 10]), median([])]).toEqual([5, 2.5, Number.NaN])
  expect(
    medians([
      { a: 3, b: 1 },
      { a: 1, b: null },
      { a: 2, b: 2 },
    ]),
  ).toEqual({ a: 2, b: null })
  expect([12_345.6, 12.34, 1.234, 0.01234, 0, null, Number.NaN, 'as it is'].map(formatFigure)).toEqual([
    '12346',
    '12.3',
    '1.23',
    '0.012',
    '0.00',
    '-',
    '-',
    'as it is',
  ])
  expect(coresOf('0-2,5\n')).toEqual([0, 1, 2, 5])
  expect(coresOf('')).toEqual([])
})

const rowOf = (section: string, name: string, figures: Row['figures'], database: Row['database'] = 'PGlite'): Row => ({
  section,
  name,
  database,
  figures,
})

test('formats a table with one block per section and one line per database', () => {
  const table = formatTable([
    rowOf('posts', 'comments', { 'per s': 400, 'p99 ms': 12.34 }),
    rowOf('starts', 'existing data', { s: 1.5 }),
    rowOf('posts', 'threads', { 'per s': 90 }),
    rowOf('posts', 'comments', { 'per s': 1234, 'p99 ms': null }, 'PostgreSQL'),
  ])
  expect(table).toBe(
    [
      'POSTS                 per s  p99 ms',
      'comments  PGlite        400    12.3',
      '          PostgreSQL   1234       -',
      'threads   PGlite       90.0       -',
      '',
      'STARTS                    s',
      'existing data  PGlite  1.50',
    ].join('\n'),
  )
})

test('reports aims as met, missed or not measured', () => {
  const section = 'cost by number of threads'
  const rows = [
    rowOf('cached pages', 'thread, brotli', { '/ bare': 0.8, 'p99 / bare': 3.1 }, 'PostgreSQL'),
    rowOf('uncached pages', 'thread of 250 posts', { 'CPU ms': 9, 'PostgreSQL CPU ms': 1.5 }, 'PostgreSQL'),
    rowOf(section, 'home, 100,000 threads', { 'CPU / 100 threads': 1.1 }, 'PostgreSQL'),
    rowOf(section, 'board, 100,000 threads', { 'CPU / 100 threads': 1.3 }, 'PostgreSQL'),
    rowOf(section, 'thread, 10,000 threads', { 'CPU / 100 threads': 9 }, 'PostgreSQL'),
    rowOf('worst inputs', 'feeds', { 'CPU / limit': 0.1, 'whole / half': 4 }),
    rowOf('worst inputs', 'posts', { 'CPU / limit': 0.2, 'whole / half': null }),
  ]
  const results = (database: Row['database']) => checkAims(rows, database).map(({ value, met }) => [value, met])
  expect(results('PostgreSQL')).toEqual([
    [0.8, true],
    [3.1, false],
    [10.5, false],
    [null, null],
    [1.3, false],
    [null, null],
  ])
  // Posts per second is an aim only for PostgreSQL, the worst inputs only for PGlite.
  expect(results('PGlite')).toEqual([...Array(5).fill([null, null]), [0.2, true], [4, false]])
})

test('summarises a profile by function and part, without idle time and other times', () => {
  const frame = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url, lineNumber: 9 },
  })
  const digest = digestProfile(
    {
      nodes: [
        frame(1, '(idle)', ''),
        frame(2, 'renderElement', 'file:///srv/node_modules/react-dom/server.js'),
        frame(3, '', 'file:///srv/dist/build-1/server/chunk.mjs'),
        frame(4, 'query', 'file:///srv/node_modules/@scope/driver/index.js'),
        frame(5, 'write', ''),
      ],
      startTime: 1000,
      samples: [4, 2, 1, 2, 3, 5, 4],
      timeDeltas: [100, 100, 100, 300, 50, 50, 100],
    },
    1150,
    1725,
  )
  expect(digest).toEqual({
    busy: 500 / 600,
    functions: [
      { name: 'renderElement (react-dom server.js:10)', share: 0.8 },
      { name: '(anonymous) (pages chunk.mjs:10)', share: 0.1 },
      { name: 'write', share: 0.1 },
    ],
    parts: [
      { name: 'react-dom', share: 0.8 },
      { name: 'pages', share: 0.1 },
      { name: 'native', share: 0.1 },
    ],
  })
})

test('finds a commit by name, and refuses other names', () => {
  const hash = findCommit('HEAD')
  expect(hash).toMatch(/^[0-9a-f]{40}$/)
  expect(findCommit(hash.slice(0, 12))).toBe(hash)
  for (const name of ['no-such-branch', '--all', 'HEAD:package.json', ''])
    expect(() => findCommit(name)).toThrow('Unknown commit')
})
