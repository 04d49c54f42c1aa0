import { expect, test } from 'vitest'
import { renderComment } from '#server/features/board/fourchan/commentHtml.ts'
import { formatPostTime } from '#server/features/board/fourchan/fourchanPosts.ts'

const BOARD_LINKS = [
  { text: '>>>/far/', boardId: 'far' },
  { text: '>>>/old/9', boardId: 'far', threadId: 8, id: 9 },
  { text: '>>>/tech/2', boardId: 'tech', threadId: 1, id: 2 },
]
const render = (content: string, parentId: number | null = null, links: string[] = []) =>
  renderComment(
    { content, links, threadId: 1, parentId, boardLinks: BOARD_LINKS },
    [
      { id: 2, threadId: 1, boardId: 'tech' },
      { id: 9, threadId: 8, boardId: 'far' },
    ],
    { thread: ({ boardId, threadId }) => `/${boardId}/thread/${threadId}`, board: (boardId) => `/${boardId}/` },
  )
const LINK = '<a href="#p2" class="quotelink">&gt;&gt;2</a>'

test.each([
  ['a < b & "c"', 'a &lt; b &amp; &quot;c&quot;'],
  ['one\ntwo', 'one<br>two'],
  ['one\n\n\ntwo', 'one<br><br>two'],
  ['>one\n>two\nthree', '<span class="quote">&gt;one<br>&gt;two</span><br>three'],
  ['>>2', LINK],
  ['>>9', '<a href="/far/thread/8#p9" class="quotelink">&gt;&gt;9</a>'],
  [
    '>>>/far/ >>>/old/9',
    '<a href="/far/" class="quotelink">&gt;&gt;&gt;/far/</a> <a href="/far/thread/8#p9" class="quotelink">&gt;&gt;&gt;/old/9</a>',
  ],
  ['>>>/tech/2 >>>/none/', '<a href="#p2" class="quotelink">&gt;&gt;&gt;/tech/2</a> &gt;&gt;&gt;/none/'],
  ['>>7', '<span class="deadlink">&gt;&gt;7</span>'],
  ['a `<b> >>2`', 'a <code>&lt;b&gt; &gt;&gt;2</code>'],
  [
    'one\n```js\na < b\n  >>2\n```\n>two',
    'one<br><pre class="prettyprint">a &lt; b<br>  &gt;&gt;2</pre><br><span class="quote">&gt;two</span>',
  ],
  ['[spoiler]\n```\na\nb\n```\n[/spoiler]', '<s><code>a<br>b</code></s>'],
  ['[spoiler]>>2 <i>[/spoiler]', `<s>${LINK} &lt;i&gt;</s>`],
])('renders %j', (content, html) => {
  expect(render(content)).toBe(html)
})

test('begins a reply with a link to its comment, unless it has one', () => {
  expect(render('yes', 2)).toBe(`${LINK}<br>yes`)
  expect(render('>>2 yes', 2)).toBe(`${LINK} yes`)
  expect(render('[spoiler]>>2[/spoiler]', 2)).toBe(`<s>${LINK}</s>`)
})

test('ends with the links of the post', () => {
  const anchor = '<a href="https://example.org/?a&amp;b" rel="nofollow ugc noopener">https://example.org/?a&amp;b</a>'
  expect(render('text', null, ['https://example.org/?a&b', 'https://example.org/?a&b'])).toBe(
    `text<br><br>${anchor}<br>${anchor}`,
  )
})

test('formats times in the time zone of New York, in summer and winter', () => {
  expect(formatPostTime(new Date('2018-12-31T22:05:48Z'))).toBe('12/31/18(Mon)17:05:48')
  expect(formatPostTime(new Date('2031-07-05T04:00:05.999Z'))).toBe('07/05/31(Sat)00:00:05')
})
