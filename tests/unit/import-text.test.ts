import { describe, expect, test } from 'vitest'
import { decodeEntities } from '#server/features/news/feed/xml/entities.ts'
import { asNumber, asTime, isFileName, readAuthor } from '#server/import/source/values.ts'
import { htmlToPlainText } from '#server/import/text/htmlWriter.ts'
import { toPostText } from '#server/import/text/postText.ts'
import type { HtmlBody, ImportedPost } from '#server/import/types.ts'
import { type Block, parseMarkup } from '#src/lib/markup.ts'
import { boardHtml } from '#tests/helpers/hostileTexts.ts'
import { fc } from '#tests/helpers/property.ts'

const link = (href: string, text: string) => `<a href="${href}" rel="nofollow">${text}</a>`

const toPlain = (html: string, format: HtmlBody['format'] = '4chan') => htmlToPlainText({ html, format })

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
    [
      'an empty line of 8chan',
      '<p class="body-line ltr ">a</p><p class="body-line empty "></p><p class="body-line ltr ">b</p>',
      'a\n\nb',
    ],
    [
      'the hidden data of a camera',
      'a<br><br><span class="abbr">[EXIF data available. Click <a href="javascript:void(0)">here</a> to show/hide.]</span><br><table class="exif" id="exif1"><tr><td>GPS</td><td>1.5</td></tr></table>',
      'a',
    ],
    ['elements with odd names', '<constructor>a</constructor><span class="constructor">b</span>', 'ab'],
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
    expect(toPlain(html)).toBe(text)
  })

  test('keeps the line breaks of jschan, whose pages show them', () => {
    expect(toPlain('a\n<span class="greentext">&gt;b</span>\n\nc', 'jschan')).toBe('a\n>b\n\nc')
  })

  test.each([
    [
      'a URL with parentheses',
      'jschan',
      "<a href='https://e.org/a_%28b%29'>https://e.org/a_&lpar;b&rpar;</a>",
      'https://e.org/a_(b)',
    ],
    [
      'a link to an opening post, without the mark of jschan',
      'jschan',
      "<a class='quote' href='/b/thread/1.html#1'>&gt;&gt;1</a> <small>(OP)</small> \nyes",
      '>>1\nyes',
    ],
    [
      'a URL that another site leads to',
      'vichan',
      link('https://anon.to/?https://e.org/?a', 'https://e.org/?a'),
      'https://e.org/?a',
    ],
    ['a URL without its scheme', 'vichan', link('http://e.org/', 'e.org'), 'http://e.org/'],
    [
      'a link to a post with the URL of the old site',
      'vichan',
      link('https://e.org/b/res/1.html#5', '&gt;&gt;5'),
      '>>5',
    ],
    ['a picture of characters', '4chan', '<br>\u3000 ∧＿∧<br>（ ´∀｀）<br>', '\u3000 ∧＿∧\n（ ´∀｀）'],
    ['an indented first line of jschan', 'jschan', '\n   x\n x\n', '   x\n x'],
    ['six empty lines', 'vichan', 'a<br/><br/><br/><br/><br/><br/><br/>b', 'a\n\n\n\n\n\n\nb'],
    ['cells of a table', 'vichan', '<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>', 'a\tb\nc'],
    ['the text of a small picture', 'vichan', 'so <img src="/smile.png" alt=":)"> nice', 'so :) nice'],
    ['struck text of vichan', 'vichan', 'I <s>hate</s> love it', 'I ~~hate~~ love it'],
    ['struck text of jschan', 'jschan', "<span class='strike'>no</span>", '~~no~~'],
    ['a spoiler in a spoiler', '4chan', '<s>a<span class="spoiler">b</span>c</s>', '[spoiler]abc[/spoiler]'],
    ['an empty spoiler', '4chan', 'a<s> </s>b', 'a b'],
    ['code after a letter', 'vichan', 'x<code>y</code>', 'x\u2060`y`'],
    ['code with a backtick', 'vichan', '<code>a`b</code>', '```\na`b\n```'],
    ['code with line breaks', '4chan', '<code>a<br>b</code> c', '```\na\nb\n```\n c'],
    ['a fence in code', 'vichan', '<pre>a\n```\nb</pre>', '```\na\n\u2060```\nb\n```'],
    ['a quoted link', '4chan', '<span class="quote">&gt;<a href="#p1">&gt;&gt;1</a></span>', '>\u2060>>1'],
  ] as const)('converts %s', (_, format, html, text) => {
    expect(toPlain(html, format)).toBe(text)
  })

  test.each([
    ['backticks', 'run `ls` or ```<br>x<br>```'],
    ['spoiler tags', 'a [spoiler]b[/spoiler] [SPOILER]c[/SPOILER]'],
    ['numbers after and before letters', 'foo&gt;&gt;1 &gt;&gt;2nd &gt;&gt;&gt;3 x&gt;&gt;&gt;/b/4'],
  ])('keeps %s as text, and shows them as the source did', (_, html) => {
    const plain = toPlain(html, 'vichan')
    expect(marksIn(plain, ['code', 'spoiler', 'postLink'])).toEqual([])
    expect(plain.replaceAll('\u2060', '')).toBe(decodeEntities(html.replaceAll('<br>', '\n')))
    const linked = toPostText(createPost({ html, format: 'vichan' }), { ...PLACE, toIdOnBoard: (_, number) => number })
    expect(linked).toMatchObject({ content: plain, quotes: [] })
  })

  test('links what the source links, also inside words', () => {
    const html = 'see<a href="/b/res/1.html#5">&gt;&gt;5</a>and&gt;&gt;5, &gt;&gt;5'
    expect(toPostText(createPost({ html, format: 'vichan' }), PLACE).content).toBe('see>>1005and>\u2060>5, >>1005')
  })

  test('changes no numbers in code', () => {
    const html = '<code>x&gt;&gt;1</code> &gt;&gt;1 <pre>y &gt;&gt;2<br>z&gt;&gt;500</pre>&gt;&gt;500'
    expect(toPostText(createPost({ html, format: 'vichan' }), PLACE)).toMatchObject({
      content: '`x>>1` >>1001\n```\ny >>2\nz>>500\n```\n>>>/b/500',
      quotes: [1001],
    })
    expect(toPostText(createPost({ text: '`a>>1` >>1\n```\n>>2' }), PLACE).content).toBe('`a>>1` >>1001\n```\n>>2')
  })

  test('keeps what the site shows: no HTML, however hostile, becomes markup that it was not', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 200 }), fc.stringMatching(/^(?:`|[>a1 \n]|\[\/?spoiler\]){0,60}$/)),
        (text) => {
          const plain = toPlain(text.replace(/[&<>`[\]]/g, (character) => `&#${character.charCodeAt(0)};`))
          expect(plain.replace(/[\s\u2060\ufdd0-\ufdef]/g, '')).toBe(text.replace(/[\s\u2060\ufdd0-\ufdef]/g, ''))
          expect(marksIn(plain, ['code', 'spoiler'])).toEqual([])
        },
      ),
    )
  })

  test.each(Object.entries(boardHtml))('reads huge and deeply nested HTML of %s', (_, create) => {
    const [short, long] = [create(1000), create(1_000_000)].map((html) => new Set(toPlain(html)))
    expect(long).toEqual(short)
  })
})

const PLACE = {
  thread: 7,
  board: 'b',
  toId: (number: number) => (number <= 100 ? number + 1000 : null),
  keepsNumbers: false,
  defaultName: 'Anonymous',
  secrets: { tripcodes: new Uint8Array(32) },
}
const createPost = (body: ImportedPost['body'], fields: Partial<ImportedPost> = {}): ImportedPost => ({
  ...{
    number: 7,
    parent: null,
    author: '',
    subject: '',
    body,
    links: [],
    time: new Date(),
    spoiler: false,
    email: '',
  },
  images: [],
  ...fields,
})
const inlinesOf = (block: Block): string[] =>
  block.kind === 'code' ? ['code'] : block.children.map(({ kind }) => kind)

const marksIn = (text: string, kinds: string[]) =>
  parseMarkup(text)
    .flatMap(inlinesOf)
    .filter((kind) => kinds.includes(kind))

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
        email: '',
        images: [],
      },
      {
        thread: 7,
        board: 'b',
        toId: (number) => (number <= 100 ? number + 1000 : null),
        keepsNumbers: false,
        defaultName: 'Anonymous',
        secrets: { tripcodes: new Uint8Array(32) },
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
    const spoilers = 'the [spoiler]butler[/spoiler] and [spoiler]\nthe cook[/spoiler]'
    expect(toText({ text: spoilers }).title).toBe('the [spoiler] and [spoiler]')
    expect(toText({ text: '[spoiler]the butler\nand the cook[/spoiler]' }).title).toBe('[spoiler]')
    expect(toText({ text: '```c\nint `x`;\n```' }).title).toBe('int x;')
    expect(toText({ text: 'x'.repeat(500) }).title).toBe(`${'x'.repeat(79)}…`)
    expect(toText({}).title).toBe('Thread 1007')
    expect(toPostText(createPost({ text: '' }, { otherFiles: ['a.webm'] }), PLACE).title).toBe('Thread 1007')
  })

  test('titles a thread with the new numbers of the posts that its first line links to', () => {
    expect(toText({ text: 'after >>9 and >>>/tech/3' }).title).toBe('after >>1009 and >>>/tech/3')
  })

  test('keeps the subject of an answer in its text', () => {
    expect(toText({ number: 8, subject: 'Re', text: 'yes' })).toMatchObject({ title: '', content: 'Re\n\nyes' })
  })

  test('repairs names and texts that cannot be stored, and drops links that are no web addresses', () => {
    const { author, content, links } = toText({ author: 'a\u202e\0b\ud800', text: 'x\0\r\ny\udc00' })
    expect([author, content, links]).toEqual(['a b\ufffd', 'x\ny\ufffd', ['https://example.org']])
    expect(toText({ author: '\u200b' }).author).toBe('Anonymous')
    expect(toText({ author: 'é'.repeat(100) }).author).toHaveLength(64)
  })

  test('keeps long texts of moderators, and marks texts that are longer still', () => {
    const long = 'é'.repeat(55_607)
    expect(toText({ text: long })).toMatchObject({ content: long, isCut: false })
    const html = (text: string) =>
      toPostText(createPost({ html: text, format: 'vichan' }, { notes: ['(BANNED)'] }), PLACE)
    expect(html('😀'.repeat(100_000))).toMatchObject({ content: `${'😀'.repeat(100_000)}\n\n(BANNED)`, isCut: false })
    expect(html('😀'.repeat(100_001)).content).toBe(`${'😀'.repeat(100_000)}\n\n[…]\n\n(BANNED)`)
    expect(html(`<b>${'<i></i>'.repeat(200_000)}`)).toMatchObject({ content: '[…]\n\n(BANNED)', isCut: true })
    expect(html(`<span class="spoiler">${'x'.repeat(100_001)}`).content).toMatch(/…\[\/spoiler\]\n\n\[…\]/)
  })

  test('lists files that are no images, and notes of moderators, below the text', () => {
    const post = createPost({ text: 'x' }, { otherFiles: ['a`b`.webm', 'c\n.pdf', ''], notes: ['(USER WAS\nBANNED)'] })
    expect(toPostText(post, PLACE).content).toBe(
      'x\n\n[file a`\u2060b`\u2060.webm]\n[file c .pdf]\n[file without a name]\n\n(USER WAS BANNED)',
    )
  })

  test('shows tripcodes after the name, even after a long name', () => {
    const shown = (name: string, tripcode: string, capcode: string) =>
      toPostText({ ...createPost({ text: 'x' }), ...readAuthor(name, tripcode, capcode) }, PLACE).author
    expect(shown('Ann', '!abc', '## Janitor')).toBe('Ann !abc ## Janitor')
    for (const mod of ['Mod', '## Mod', 'mod', 'Moderator']) {
      expect(readAuthor('Ann', '!abc', mod)).toMatchObject({ author: 'Ann', codes: '!abc', capcode: 'mod' })
    }
    for (const admin of ['Admin', 'admin_highlight', '## Administrator']) {
      expect(readAuthor('', '', admin)).toMatchObject({ codes: '', capcode: 'admin' })
    }
    // Without the mark, visitors could type it.
    expect([shown('Ann', 'abc', ''), shown('Ann', '!!abc', '')]).toEqual(['Ann !abc', 'Ann !abc'])
    expect(shown('Wow!', '!ozOtJW9BFA', '')).toBe('Wow!ozOtJW9BFA')
    expect(shown('Ann', '', 'Global Mod')).toBe('Ann ## Global Mod')
    expect(shown('n'.repeat(100), '!abc', '')).toBe(`${'n'.repeat(59)} !abc`)
  })

  test('give posts without a name the default name of the board', () => {
    const shown = (fields: Partial<ImportedPost>) =>
      toPostText(createPost({ text: 'x' }, fields), { ...PLACE, defaultName: 'Nobody' }).author
    expect([shown({ author: '' }), shown({ author: '\u200b' })]).toEqual(['Nobody', 'Nobody'])
    expect(shown({ author: '', codes: '!abc' })).toBe('Nobody !abc')
    expect(shown({ author: 'Ann' })).toBe('Ann')
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
