import { expect, test } from 'vitest'
import { findPageImage } from '#server/features/news/feed/content/pageImage.ts'

const url = new URL('https://site.example.org/news/42')
const read = (html: string | Uint8Array, contentType?: string) =>
  findPageImage(typeof html === 'string' ? Buffer.from(html) : html, { contentType, url })
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`

test.each<[what: string, html: string, image: string | null]>([
  [
    'an absolute URL',
    meta('og:image', 'https://img.example.org/a.jpg?w=1&amp;h=2'),
    'https://img.example.org/a.jpg?w=1&h=2',
  ],
  ['a URL relative to the page', meta('og:image', 'a.jpg'), 'https://site.example.org/news/a.jpg'],
  ['a URL relative to the base', `<base href="/b/">${meta('og:image', 'a.jpg')}`, 'https://site.example.org/b/a.jpg'],
  [
    'a base element after the image',
    `${meta('og:image', 'a.jpg')}<base href="/b/"><base href="/c/">`,
    'https://site.example.org/b/a.jpg',
  ],
  [
    'the secure URL first',
    meta('og:image', 'http://x.example.org/a') + meta('og:image:secure_url', 'https://x.example.org/a'),
    'https://x.example.org/a',
  ],
  ['og:image:url', meta('og:image:url', '/u.png'), 'https://site.example.org/u.png'],
  ['og before twitter', meta('twitter:image', '/t.png') + meta('og:image', '/o.png'), 'https://site.example.org/o.png'],
  ['twitter:image:src', '<meta name="twitter:image:src" content="/t.png">', 'https://site.example.org/t.png'],
  ['name instead of property', '<META NAME="OG:Image" CONTENT=/n.png>', 'https://site.example.org/n.png'],
  ['a link element', '<link rel="icon image_src" href="/l.png">', 'https://site.example.org/l.png'],
  [
    'the first valid URL',
    meta('og:image', 'data:image/png;base64,AA') + meta('og:image', '') + meta('og:image', '/2.png'),
    'https://site.example.org/2.png',
  ],
  [
    'the first of two attributes',
    '<meta property=og:image content=/1.png content=/2.png>',
    'https://site.example.org/1.png',
  ],
  ['no preview image', '<title>x</title><img src="/no.png">', null],
  ['a script', `<script>"${meta('og:image', '/s.png')}"</script>`, null],
  ['a comment', `<!-- ${meta('og:image', '/c.png')} -->`, null],
  ['an element after the head', `<title>x</title></head>${meta('og:image', '/late.png')}`, null],
  ['an element in the body', `<body>${meta('og:image', '/late.png')}`, null],
  ['a truncated element', '<meta property="og:image" content="/half', null],
  ['an empty page', '', null],
])('finds the page image: %s', (_what, html, image) => expect(read(html)).toBe(image))

test('takes the charset from the header, the page or the bytes', () => {
  const expected = 'https://site.example.org/caf%C3%A9.png'
  const html = '<meta charset="iso-8859-1"><meta property="og:image" content="/café.png">'
  expect(read(Buffer.from(html, 'latin1'))).toBe(expected)
  expect(read(Buffer.from(html.replace(/<meta charset="[^"]*">/, ''), 'latin1'))).toBe(expected)
  expect(read(Buffer.from(html, 'utf8'))).toBe(expected)
  expect(read(Buffer.from(`\ufeff${html}`, 'utf16le'))).toBe(expected)
  expect(read(Buffer.from(html, 'utf8'), 'text/html; charset=UTF-8')).toBe(expected)
})

test('reads only the first 256 kB of a page', () => {
  const late = `${' '.repeat(256 * 1024)}${meta('og:image', '/late.png')}`
  expect(read(late)).toBeNull()
  expect(read(late.slice(1024))).toBe('https://site.example.org/late.png')
})
