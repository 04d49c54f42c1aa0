import fc, { type Arbitrary } from 'fast-check'
import type { FuzzContext } from './fuzzContext.ts'
import { anyHeaders, send, type Target } from './fuzzTarget.ts'
import { anyId, anyText, encodeLoosely } from './values.ts'

const FIRST_SEGMENTS = [
  '',
  'about',
  'archive',
  'dtpchan',
  'login',
  'today-in-tech',
  'programs-we-love',
  'paste-service',
  'paste',
  'image-sharing',
  'image-share',
  'password-generator',
  'visualizer',
  'debauched-blog',
  'radio',
  'assets',
  'healthz',
  'readyz',
  'metrics',
  'robots.txt',
  'sitemap.xml',
  'sitemap-threads-1.xml',
  'favicon.svg',
  'boards.json',
]
const SEGMENTS = [
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '%5c',
  '\\',
  '//',
  ';a=b',
  '%00',
  '%',
  '%ff',
  '%C0%AF',
  'index',
  'index.pageContext.json',
  '.env',
  '~',
  '@fs',
  '*',
  'threads.json',
  '1.json',
  'thread',
  'res',
  '1.html',
]
const ENDINGS = [
  '',
  '',
  '',
  '/',
  '//',
  '/index.pageContext.json',
  '.pageContext.json',
  '/index.html',
  '.html',
  '/feed.atom',
  '/feed.json',
  '/page.en.json',
  '/raw',
  '/delete',
  '%20',
  '.',
]
const QUERY_NAMES = ['cursor', 'page', 'source', 'token', '_data', 'category', 'q', '__proto__', 'x']

/** Requests valid and malformed URLs of pages, page data, files and feeds. */
export const pageTarget: Target<{ path: string; method: string; lines: string[] }> = {
  name: 'pages',
  inputs: (context) =>
    fc.record({
      path: fc
        .tuple(anyPath(context), fc.constantFrom(...ENDINGS), anyQuery())
        .map((parts) => parts.join('').slice(0, 15_000)),
      method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND'),
      lines: anyHeaders,
    }),
  sendInput: (context, { path, method, lines }) =>
    // Uses GET for malformed request lines: the server answers them with a body, which HEAD does not allow.
    send(context, { method: path.startsWith('/') ? method : 'GET', path, lines, sent: decodeSafely(path) }),
}

function anyPath({ known }: FuzzContext): Arbitrary<string> {
  const id = anyId(Object.values(known).filter((value) => !value.includes('/')))
  const top = fc.constantFrom(...FIRST_SEGMENTS)
  const strange = fc.array(fc.oneof(fc.constantFrom(...SEGMENTS), top), { minLength: 1, maxLength: 5 })
  return fc.oneof(
    { weight: 2, arbitrary: top.map((name) => `/${name}`) },
    { weight: 2, arbitrary: id.map((board) => `/dtpchan/board/${board}`) },
    { weight: 3, arbitrary: fc.tuple(id, id).map(([board, thread]) => `/dtpchan/board/${board}/thread/${thread}`) },
    { weight: 1, arbitrary: fc.tuple(id, id).map(([board, number]) => `/${board}/thread/${number}.json`) },
    { weight: 1, arbitrary: fc.tuple(id, id).map(([board, name]) => `/${board}/${name}.json`) },
    { weight: 2, arbitrary: fc.tuple(top, id).map(([name, value]) => `/${name}/${value}`) },
    { weight: 1, arbitrary: id.map((name) => `/dtpchan/uploads/${name}`) },
    { weight: 1, arbitrary: fc.constant(known.upload) },
    { weight: 2, arbitrary: strange.map((pieces) => `/${pieces.join('/')}`) },
    { weight: 1, arbitrary: strange.map((pieces) => pieces.join('')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'http://evil.example/about',
        '//evil.example/about/',
        '/\\evil.example/',
        '*',
        '/?',
        '/#',
        `/${'x/'.repeat(3000)}`,
      ),
    },
  )
}

function anyQuery(): Arbitrary<string> {
  const value = fc.oneof(
    anyText.map((text) => encodeLoosely(text.slice(0, 300))),
    fc.constantFrom('%', '%ff', '1-1', '2', '&&&', '[]=1'),
  )
  const pairs = fc.array(fc.tuple(fc.constantFrom(...QUERY_NAMES), value), { minLength: 1, maxLength: 4 })
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: pairs.map((all) => `?${all.map((pair) => pair.join('=')).join('&')}`) },
    { weight: 1, arbitrary: fc.constantFrom('?', '??', '?%', `?${'a&'.repeat(5000)}`, '?a[b][c]=1&a[b]=2') },
  )
}

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
