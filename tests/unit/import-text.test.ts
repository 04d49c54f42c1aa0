import { describe, expect, test } from 'vitest'
import { htmlToPlainText } from '#server/import/plainText.ts'
import { toPostText } from '#server/import/posts.ts'
import { asNumber, asTime, isFileName, joinAuthor } from '#server/import/values.ts'
import { parseMarkup } from '#src/lib/markup.ts'
import { cpuTimeOf } from '#tests/helpers/cpuTime.ts'
import { fc } from '#tests/helpers/property.ts'

const link = (href: string, text: string) => `<a href="${href}" rel="nofollow">${text}</a>`

describe('HTML of old boards', () => {
  test.each([
    ['a quote link', '<a onclick="highlightReply(\'5\')" href="/b/res/1.html#5">&gt;&gt;5</a><br/>yes', '>>5\nyes'],
    ['a link to another board', '<a href="/tech/res/9.html#9" class="quotelink">&gt;&gt;&gt;/tech/9</a>', '>>>/tech/9'],
    ['a quoted line of 4chan', '<span class="quote">&gt;implying</span><br>no', '>implying\nno'],
    [
      'a quoted line of 8chan',
      '<p class="body-line ltr quote">&gt;implying</p><p class="body-line ltr ">no</p>',
      '>implying\nno',
    ],
    ['a spoiler of 4chan', 'It was <s>Alice</s>.', 'It was [spoiler]Alice[/spoiler].'],
    ['a spoiler of vichan', '<span class="spoiler">Alice</span>', '[spoiler]Alice[/spoiler]'],
    [
      'a bold word in a spoiler',
      '<span class="spoiler"><strong>A</strong><span class="x">l</span>ice</span>',
      '[spoiler]Alice[/spoiler]',
    ],
    ['code of 4chan', 'See<pre class="prettyprint">a<br>  b &lt; c</pre>end', 'See\n```\na\n  b < c\n```\nend'],
    ['code of vichan', '<pre class="code lang-c"><code>int x;\nint y;</code></pre>', '```\nint x;\nint y;\n```'],
    ['inline code', 'run <code>ls</code> now', 'run `ls` now'],
    [
      'a link',
      link('https://example.org/a?b=1&amp;c', 'https://example.org/a?b=1&amp;c'),
      'https://example.org/a?b=1&c',
    ],
    ['a link with another text', link('https://example.org/', 'here'), 'here https://example.org/'],
    [
      'a link with a shortened text',
      link('https://example.org/long', 'https://example.org/lo…'),
      'https://example.org/long',
    ],
    ['a link that is a script', link('javascript:alert(1)', 'click'), 'click'],
    ['scripts and styles', 'a<script>alert(1)</script><style>b{}</style>c', 'ac'],
    ['entities, once', '&amp;lt;b&amp;gt; &#039;&#x263A;&nbsp;&unknown;', "&lt;b&gt; '☺\u00a0&unknown;"],
    ['line breaks in the source', '<br/>\na\n  b', 'a b'],
    ['a space between tags and line breaks', '<b>x</b> and\nmore', 'x and more'],
    ['settings of vichan', 'a<tinyboard flag>de</tinyboard>', 'a'],
    ['tags that do not end', 'a<span class="spoiler"><pre>b', 'a[spoiler]\n```\nb\n```\n[/spoiler]'],
    ['a tag that is cut off', 'a<a href="x', 'a'],
  ])('converts %s', (_, html, text) => {
    expect(htmlToPlainText(html)).toBe(text)
  })

  test('keeps the line breaks of jschan, whose pages show them', () => {
    expect(htmlToPlainText('a\n<span class="greentext">&gt;b</span>\n\nc', true)).toBe('a\n>b\n\nc')
  })

  test('keeps what the site shows: no HTML, however hostile, becomes markup that it was not', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const plain = htmlToPlainText(text.replace(/[&<>`[\]]/g, (character) => `&#${character.charCodeAt(0)};`))
        expect(plain.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
        parseMarkup(plain)
      }),
    )
  })

  test('takes a short time for huge and deeply nested HTML', () => {
    const ms = cpuTimeOf(() => {
      for (const part of [
        '<a href="http://x">',
        '<span class="spoiler">',
        '<pre>',
        '<p>',
        ' ',
        '\n',
        '&amp;',
        '<',
        '</b>',
      ]) {
        htmlToPlainText(part.repeat(100_000))
      }
    })
    expect(ms).toBeLessThan(20_000)
  })
})

describe('texts of posts', () => {
  const toText = (fields: { text?: string; subject?: string; author?: string; number?: number }) =>
    toPostText(
      {
        number: fields.number ?? 7,
        parent: null,
        author: fields.author ?? '',
        subject: fields.subject ?? '',
        body: { text: fields.text ?? '' },
        links: ['https://example.org', 'javascript:alert(1)'],
        time: new Date(),
        spoiler: false,
        sage: false,
        images: [],
      },
      {
        thread: 7,
        board: 'b',
        toId: (number) => (number <= 100 ? number + 1000 : null),
        keepsNumbers: false,
        tripcodeKey: new Uint8Array(32),
      },
    )

  test('moves links to posts to their new numbers', () => {
    expect(toText({ text: '>>5 and (>>100), >>>/b/5 >>101 >>>5 >>05' }).content).toBe(
      '>>1005 and (>>1100), >>>/b/5 >>>/b/101 >>>5 >>05',
    )
  })

  test('titles a thread with its subject, its text, or its number', () => {
    expect(toText({ subject: ' A\nsubject ', text: 'x' }).title).toBe('A subject')
    expect(toText({ text: '>quoted\n\nThe first line\nthe second' }).title).toBe('The first line')
    expect(toText({ text: 'x'.repeat(500) }).title).toBe(`${'x'.repeat(79)}…`)
    expect(toText({}).title).toBe('Thread 7')
  })

  test('keeps the subject of an answer in its text', () => {
    expect(toText({ number: 8, subject: 'Re', text: 'yes' })).toMatchObject({ title: '', content: 'Re\n\nyes' })
  })

  test('repairs names and texts that cannot be stored, and drops links that are no web addresses', () => {
    const { author, content, links } = toText({ author: 'a\u202e\0b\ud800', text: 'x\0\r\ny\udc00' })
    expect([author, content, links]).toEqual(['a b\ufffd', 'x\ny\ufffd', ['https://example.org']])
    expect(toText({ author: '\u200b' }).author).toBe('Anonymous')
    expect(toText({ author: 'é'.repeat(100) }).author).toHaveLength(64)
    expect(toText({ text: '😀'.repeat(20_001) }).content).toBe('😀'.repeat(20_000))
  })

  test('shows tripcodes after the name, even after a long name', () => {
    expect(joinAuthor('Ann', '!abc', '## Mod')).toBe('Ann !abc ## Mod')
    expect(joinAuthor('', '!abc', '')).toBe('Anonymous !abc')
    expect(joinAuthor('n'.repeat(100), '!abc', '')).toBe(`${'n'.repeat(59)} !abc`)
  })
})

test.each([[0], [-1], [1.5], [1e15], [Number.NaN], ['1e3'], ['0x10'], [''], [null], [undefined], [{}], [[5]], [true]])(
  'accepts no %s as a number of a post',
  (value) => {
    expect(asNumber(value)).toBeNull()
  },
)

test('moves times in the future to now, and accepts no other wrong times', () => {
  expect([asTime(5000.7), asTime(9e18)]).toEqual([new Date(5000), new Date(8.64e15)])
  expect([asTime(-1), asTime(0), asTime(Number.NaN), asTime(Number.POSITIVE_INFINITY)]).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test.each(['../secret', '..', '.hidden', 'a/b', 'a\\b', '', 'a\0b', 'x'.repeat(300)])(
  'opens no file named %j',
  (name) => {
    expect(isFileName(name)).toBe(false)
  },
)
