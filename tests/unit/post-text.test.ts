import { describe, expect, test } from 'vitest'
import { textHtml } from '#server/features/board/html/textHtml.ts'
import type { PostRef } from '#src/contract/post.ts'
import { runs } from '#tests/helpers/depth.ts'
import { fc } from '#tests/helpers/property.ts'

const quotes: PostRef[] = [
  { id: 5, threadId: 3, boardId: 'tech' },
  { id: 6, threadId: 4, boardId: 'b b/"' },
]
const render = (content: string) => textHtml({ content, quotes }, 3)
/** Renders to HTML, and removes classes and the outer element. */
const html = (text: string) =>
  render(text)
    .replace(/ class=[a-z]+/g, '')
    .replace(/^<div>|<\/div>$/g, '')

const SPOILER = '<span data-spoiler=1><button type=button aria-label="Spoiler" aria-expanded=false></button><span>'

describe('post text', () => {
  test.each([
    ['a\nb\n\nc', '<p>a<br>b</p><p>c</p>'],
    ['<b> & "x"', '<p>&lt;b&gt; &amp; &quot;x&quot;</p>'],
    ['>>5', '<p><a href=#p5>&gt;&gt;5</a></p>'],
    ['>>6', '<p><a href=/dtpchan/board/b%20b%2F%22/thread/4#p6>&gt;&gt;6</a></p>'],
    ['>>7', '<p>&gt;&gt;7</p>'],
    [
      'https://a.de/?a&b',
      '<p><a href="https://a.de/?a&amp;b" rel="nofollow ugc noopener" target=_blank>https://a.de/?a&amp;b</a></p>',
    ],
    ['[spoiler]>>5[/spoiler]', `<p>${SPOILER}<a href=#p5>&gt;&gt;5</a></span></span></p>`],
    ['[spoiler]a\n\nb[/spoiler]', `<p>${SPOILER}a</span></span></p><p><span data-spoiler=1><span>b</span></span></p>`],
    ['a `<b>`', '<p>a <code translate=no>&lt;b&gt;</code></p>'],
    [
      'a\n```JS\n<b>\n\n  >>5\n```',
      '<p>a</p><figure><figcaption>JS</figcaption><pre tabindex=0 translate=no><code>&lt;b&gt;\n\n  &gt;&gt;5</code></pre></figure>',
    ],
    ['```\na', '<figure><figcaption>code</figcaption><pre tabindex=0 translate=no><code>a</code></pre></figure>'],
  ])('%j', (text, expected) => expect(html(text)).toBe(expected))

  test('colours the blocks of code in order', () => {
    const text = '```\na b\n```\n>c\n```js\n<d>'
    const highlights = [
      [1, 0, 2, 2],
      [2, 5],
    ]
    const markup = textHtml({ content: text, quotes: [], highlights }, 3)
    expect(markup.replace(/class="hl-([a-z]+)"/g, '$1')).toMatch(
      /<code>a<span keyword> b<\/span><\/code>.*<code><span title data-hue="7">&lt;d<\/span>&gt;<\/code>/,
    )
  })

  test('uses the classes of the design', () => {
    expect(render('>a')).toBe('<div class=text><p class=greentext>&gt;a</p></div>')
    expect(render('>>5')).toContain('<a class=quote href=#p5>')
  })

  test('links to full URLs outside a thread', () => {
    expect(textHtml({ content: '>>5', quotes }, undefined)).toContain('href=/dtpchan/board/tech/thread/3#p5>')
  })
})

const piece = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', '>', '>>5', '>>6 ', '>>77', '<', '</p>', '<script>', '&lt;', '"', "'"),
  fc.constantFrom(
    '[spoiler]',
    '[/spoiler]',
    '[Spoiler]',
    'http://',
    'https://a.de/',
    'HTTP://x?',
    'javascript:',
    '(',
    ')',
  ),
  fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0')),
)
const post = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

/** Removes everything that rendering may drop or change: the kind of line break, blank lines, spoiler tags. */
const normalised = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\[spoiler\]([\s\S]*?)\[\/spoiler\]/gi, (whole, inner: string) => (inner.trim() ? inner : whole))
    .split('\n')
    .filter((line) => /[^ \t]/.test(line))
    .join('\n')

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const textContent = (markup: string) =>
  markup
    .replace(/<br>|<\/p><p[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&[^;]+;/g, (entity) => entities[entity] ?? entity)

describe('any text', () => {
  test('loses no character', () => {
    fc.assert(
      fc.property(post, (text) => {
        expect(textContent(render(text))).toBe(normalised(text))
      }),
      { numRuns: runs(1000) },
    )
  })

  test('renders only known tags and attributes', () => {
    const known =
      /<\/?(?:div|p|span|br|button|a)(?: (?:(?:href|rel|aria-label)="[^"<>]*"|href=[\w/#%.-]+|(?:class|target|type|aria-expanded|data-spoiler)=\w+))*>/g
    fc.assert(
      fc.property(post, (text) => {
        expect(render(text).replace(known, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: runs(1000) },
    )
  })

  test('links only to the web, to a thread or within the page', () => {
    fc.assert(
      fc.property(post, (text) => {
        for (const [, quoted, href = quoted] of render(text).matchAll(/href=(?:"([^"]*)"|([^\s>]+))/g)) {
          expect(href).toMatch(/^(?:https?:\/\/|\/dtpchan\/board\/|#p\d+$)/)
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})
