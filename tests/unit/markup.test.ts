import { describe, expect, test } from 'vitest'
import { boardLimits } from '#src/contract/board.ts'
import { excerpt, excerptSource } from '#src/lib/excerpt.ts'
import { type Block, type Inline, measureMarkup, parseMarkup, quotedPosts } from '#src/lib/markup.ts'
import { fill, markupPieces } from '#tests/helpers/hostileTexts.ts'
import { fc } from '#tests/helpers/property.ts'

const text = (value: string): Inline => ({ kind: 'text', text: value })
const postLink = (id: number): Inline => ({ kind: 'postLink', id })
const boardLink = (boardId: string, id: number | null = null, shown = `>>>/${boardId}/${id ?? ''}`): Inline => ({
  kind: 'boardLink',
  text: shown,
  boardId,
  id,
})
const link = (shown: string, href = shown): Inline => ({ kind: 'link', text: shown, href })
const br: Inline = { kind: 'break' }
const paragraph = (...children: Inline[]): Block => ({ kind: 'paragraph', children })
const quote = (...children: Inline[]): Block => ({ kind: 'quote', children })
const spoiler = (id: number, children: Inline[], continued = false) =>
  ({ kind: 'spoiler', id, continued, children }) as Inline

const code = (value: string): Inline => ({ kind: 'code', text: value })
const codeBlock = (value: string, language = ''): Block => ({ kind: 'code', language, text: value })

const nodesOf = (blocks: Block[]): Inline[] => blocks.flatMap((block) => (block.kind === 'code' ? [] : block.children))
const countNodes = (input: string) => measureMarkup(input).nodes

/** Returns the text that is visible while all spoilers are closed. */
const shownOf = (input: string) =>
  parseMarkup(input)
    .flatMap((block) => (block.kind === 'code' ? [block] : block.children))
    .map((node) => ('text' in node ? node.text : ''))
    .join('')

describe('lines', () => {
  test.each<[string, Block[]]>([
    ['', []],
    [' \n\t\n', []],
    ['one', [paragraph(text('one'))]],
    ['one\ntwo', [paragraph(text('one'), br, text('two'))]],
    ['one\r\ntwo\rthree', [paragraph(text('one'), br, text('two'), br, text('three'))]],
    ['one\n\ntwo', [paragraph(text('one')), paragraph(text('two'))]],
    ['one\r\n\r\n \n\n\n\ntwo\n\n', [paragraph(text('one')), paragraph(text('two'))]],
    ['  one', [paragraph(text('  one'))]],
  ])('%j', (input, blocks) => expect(parseMarkup(input)).toEqual(blocks))
})

describe('quote lines', () => {
  test.each<[string, Block[]]>([
    ['>be me', [quote(text('>be me'))]],
    ['>', [quote(text('>'))]],
    ['hi\n>a\n>b\nyes', [paragraph(text('hi')), quote(text('>a'), br, text('>b')), paragraph(text('yes'))]],
    ['>a\n\n>b', [quote(text('>a')), quote(text('>b'))]],
    ['a > b', [paragraph(text('a > b'))]],
    [' >a', [paragraph(text(' >a'))]],
    ['>see >>123 there', [quote(text('>see '), postLink(123), text(' there'))]],
    ['>>>123', [quote(text('>>>123'))]],
    ['>>abc', [quote(text('>>abc'))]],
    ['[spoiler]>a[/spoiler]', [quote(spoiler(1, [text('>a')]))]],
  ])('%j', (input, blocks) => expect(parseMarkup(input)).toEqual(blocks))
})

describe('post links', () => {
  test.each<[string, Block[]]>([
    ['>>123', [paragraph(postLink(123))]],
    ['>>123 >yes', [paragraph(postLink(123), text(' >yes'))]],
    ['see >>1, >>2.', [paragraph(text('see '), postLink(1), text(', '), postLink(2), text('.'))]],
    ['>>1>>2', [paragraph(postLink(1), postLink(2))]],
    ['(>>7)', [paragraph(text('('), postLink(7), text(')'))]],
    ['>>999999999999999', [paragraph(postLink(999_999_999_999_999))]],
    ['a >>1000000000000000', [paragraph(text('a >>1000000000000000'))]],
    ['a >>>123', [paragraph(text('a >>>123'))]],
    ['a >>0 >>012', [paragraph(text('a >>0 >>012'))]],
    ['a >123', [paragraph(text('a >123'))]],
    ['a >>', [paragraph(text('a >>'))]],
  ])('%j', (input, blocks) => expect(parseMarkup(input)).toEqual(blocks))

  test.each<[string, Block[]]>([
    ['>>>/tech/', [paragraph(boardLink('tech'))]],
    ['>>>/Tech/123, yes', [paragraph(boardLink('tech', 123, '>>>/Tech/123'), text(', yes'))]],
    ['see >>>/a-2/5 and >>>/b/', [paragraph(text('see '), boardLink('a-2', 5), text(' and '), boardLink('b'))]],
    ['[spoiler]>>>/b/1[/spoiler]', [paragraph(spoiler(1, [boardLink('b', 1)]))]],
    ['`>>>/b/1`', [paragraph(code('>>>/b/1'))]],
    ['>>>>/b/', [quote(text('>>>>/b/'))]],
    ['>>>/b', [quote(text('>>>/b'))]],
    ['>>>/b/012', [quote(text('>>>/b/012'))]],
    [`>>>/${'x'.repeat(40)}/`, [paragraph(boardLink('x'.repeat(40)))]],
    [`>>>/${'x'.repeat(41)}/`, [quote(text(`>>>/${'x'.repeat(41)}/`))]],
  ])('to boards: %j', (input, blocks) => {
    expect(parseMarkup(input)).toEqual(blocks)
  })

  test('quotedPosts returns each post once, in order, up to the limit', () => {
    expect(quotedPosts('>>3 >>1\n>no >>2 [spoiler]>>4[/spoiler] >>3 >>>5', 50)).toEqual([3, 1, 2, 4])
    expect(quotedPosts('>>3 >>3 >>1 >>2', 2)).toEqual([3, 1])
    expect(quotedPosts('>>3', 0)).toEqual([])
  })
})

describe('spoilers', () => {
  test.each<[string, Block[]]>([
    ['a [spoiler]b[/spoiler] c', [paragraph(text('a '), spoiler(1, [text('b')]), text(' c'))]],
    ['[Spoiler]b[/SPOILER]', [paragraph(spoiler(1, [text('b')]))]],
    [
      '[spoiler]>>1 http://a.de/[/spoiler]',
      [paragraph(spoiler(1, [postLink(1), text(' '), link('http://a.de/')] as never))],
    ],
    ['[spoiler]a\nb[/spoiler]', [paragraph(spoiler(1, [text('a'), br, text('b')]))]],
    ['x\n[spoiler]\na\n[/spoiler]\ny', [paragraph(text('x'), br, spoiler(1, [text('a')]), br, text('y'))]],
    [
      '[spoiler]a\n>b\n\nc[/spoiler][spoiler]d[/spoiler]',
      [
        paragraph(spoiler(1, [text('a')])),
        quote(spoiler(1, [text('>b')], true)),
        paragraph(spoiler(1, [text('c')], true), spoiler(2, [text('d')])),
      ],
    ],
    ['[spoiler]a', [paragraph(text('[spoiler]a'))]],
    ['a[/spoiler]', [paragraph(text('a[/spoiler]'))]],
    ['[spoiler] [/spoiler]', [paragraph(text('[spoiler] [/spoiler]'))]],
    ['[spoiler]a[spoiler]b[/spoiler]c[/spoiler]', [paragraph(spoiler(1, [text('a[spoiler]b')]), text('c[/spoiler]'))]],
  ])('%j', (input, blocks) => expect(parseMarkup(input)).toEqual(blocks))
})

describe('URLs', () => {
  test.each<[string, string, string, string?]>([
    ['', 'http://example.com', '', 'http://example.com/'],
    ['', 'HTTPS://Example.com/A?b=c#d', '', 'https://example.com/A?b=c#d'],
    ['see ', 'https://example.com/a', '.'],
    ['', 'https://example.com/a', '?!'],
    ['"', 'https://example.com/a', '",'],
    ["'", 'https://example.com/a', "'"],
    ['(', 'https://example.com/a', ')'],
    ['(', 'https://example.com/a_(b)', ')'],
    ['', 'https://example.com/a_(b)', '.'],
    ['[', 'https://example.com/a', '](x)'],
    ['', 'https://example.com/a', '('],
    ['<', 'https://example.com/a', '>'],
    ['', 'https://example.com/a', '>>5x', undefined],
    ['見て', 'https://例え.jp/ä', ' ok', 'https://xn--r8jz45g.jp/%C3%A4'],
    ['', 'http://[::1]:3000/', ''],
    ['view-source:', 'https://example.com/a', ''],
    ['', 'https://example.com/a', '\u202ecod.exe'],
    ['', 'https://example.com/a', '[/spoiler]'],
    ['', 'https://web.archive.org/web/2020/http://example.com/', ''],
  ])('%j links %j before %j', (before, shown, after, href = shown) => {
    const nodes = nodesOf(parseMarkup(before + shown + after))
    expect(nodes.filter((node) => node.kind === 'link')).toEqual([link(shown, href)])
    if (before) expect(nodes[0]).toEqual(text(before))
  })

  test.each([
    'http://',
    'https://.',
    'http:///example.com',
    'http://(((((',
    'http://[',
    'http://a:99999999',
    'http://bank.example@evil.example/',
    'http://user:word@evil.example/',
    'xhttp://example.com',
    'git+https://example.com',
    'javascript:alert(1)',
    'ftp://example.com',
    'data:text/html,x',
    '//example.com',
    'www.example.com',
    `https://example.com/${'ä'.repeat(2000)}`,
  ])('does not link %j', (input) => expect(parseMarkup(input)).toEqual([paragraph(text(input))]))
})

describe('hostile text', () => {
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...markupPieces, '>>2', '>>33 '), fc.string()))
    .map((x) => x.join(''))

  test.each(markupPieces)('parses a long text of %j into few nodes', (piece) => {
    for (const start of ['', 'http://a', '[spoiler]'])
      expect(countNodes(start + fill(piece, 200_000))).toBeLessThan(5010)
  })

  test('counts a spoiler as three elements, and a block as one', () => {
    expect(countNodes('')).toBe(0)
    expect(countNodes('a')).toBe(1)
    expect(countNodes('a\nb\n\n>c >>1 http://a.de')).toBe(5)
    expect(countNodes('[spoiler]a[/spoiler]')).toBe(5)
  })

  test('keeps text and spoilers readable beyond the limit', () => {
    const input = `${'>>1 '.repeat(3000)}\n>a\n\nb [spoiler]c\nd[/spoiler] e`
    const blocks = parseMarkup(input)
    expect(blocks).toHaveLength(1)
    const nodes = nodesOf(blocks)
    expect(nodes.at(-3)).toEqual(text(`${' >>1'.repeat(2001)} \n>a\n\nb `))
    expect(nodes.slice(-2)).toEqual([spoiler(1, [text('c\nd')]), text(' e')])
  })

  test('hides everything from the first spoiler beyond the limit to the end of the last one', () => {
    const secrets = (count: number) =>
      Array.from({ length: count }, (_, n) => `[spoiler]SECRET${n}[/spoiler] seen${n} `)
    const few = shownOf(secrets(300).join(''))
    expect(few).not.toContain('SECRET')
    expect(few).toContain('seen299')
    const many = shownOf(`${secrets(700).join('')}end`)
    expect(many).not.toContain('SECRET')
    expect(many).toContain('seen300')
    expect(many).not.toContain('seen600')
    expect(many).toMatch(/ seen699 end$/)
    expect(countNodes(secrets(1000).join(''))).toBeLessThan(2000)
  })

  test('never shows the text of a spoiler', () => {
    const unit = fc.constantFrom(
      '[spoiler]SECRET[/spoiler]',
      '[spoiler]\n```\nSECRET\n```\n[/spoiler]\n',
      'a\n',
      '>>1 ',
      '\n\n',
      '[/spoiler]',
      'http://a.de ',
      '\n```\nb\n```\n',
    )
    const input = fc.array(fc.tuple(unit, fc.nat(400))).map((parts) => parts.map(([x, n]) => x.repeat(n)).join(''))
    fc.assert(
      fc.property(input, (value) => {
        expect(shownOf(value)).not.toContain('SECRET')
      }),
      { numRuns: 50 },
    )
  })

  test('quotedPosts returns the post links of the tree', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const found = JSON.stringify(parseMarkup(value)).matchAll(/\{"kind":"postLink","id":(\d+)\}/g)
        const ids = [...new Set([...found].map((match) => Number(match[1])))]
        expect(quotedPosts(value, 1000)).toEqual(ids)
        expect(quotedPosts(value, 1)).toEqual(ids.slice(0, 1))
      }),
    )
  })
})

describe('code', () => {
  test.each<[string, Block[]]>([
    ['a `b` c', [paragraph(text('a '), code('b'), text(' c'))]],
    ['`b`', [paragraph(code('b'))]],
    ['  `b`', [paragraph(text('  '), code('b'))]],
    ['>a `b`', [quote(text('>a '), code('b'))]],
    [
      '(`>>1 [spoiler]http://a.de[/spoiler]`)',
      [paragraph(text('('), code('>>1 [spoiler]http://a.de[/spoiler]'), text(')'))],
    ],
    ['[spoiler]`b`[/spoiler]', [paragraph(spoiler(1, [code('b')]))]],
    [
      '[spoiler]a `[/spoiler]` b[/spoiler]',
      [paragraph(spoiler(1, [text('a '), code('[/spoiler]'), text(' b')] as never))],
    ],
    ['it`s not code`s', [paragraph(text('it`s not code`s'))]],
    ['(´ω`) a (´ω`)', [paragraph(text('(´ω`) a (´ω`)'))]],
    ['`a\nb`', [paragraph(text('`a'), br, text('b`'))]],
    ['`` a``', [paragraph(text('`` a``'))]],
    ['```\na\n\n  b\n```', [codeBlock('a\n\n  b')]],
    ['x\r\n```C++ \r\na\r\n``` \r\ny', [paragraph(text('x')), codeBlock('a', 'C++'), paragraph(text('y'))]],
    ['```\n```', [codeBlock('')]],
    [
      '```\n>>1 `x` [spoiler]a[/spoiler]\n```js\n```\n>>2',
      [codeBlock('>>1 `x` [spoiler]a[/spoiler]\n```js'), paragraph(postLink(2))],
    ],
    ['```js\na', [codeBlock('a', 'js')]],
    ['```', [codeBlock('')]],
    ['```not code```', [paragraph(text('```not code```'))]],
    ['```two words\na', [paragraph(text('```two words'), br, text('a'))]],
    [' ```\na', [paragraph(text(' ```'), br, text('a'))]],
    ['[spoiler]\n```\na\nb\n```\n[/spoiler]\nc', [paragraph(spoiler(1, [code('a\nb')]), br, text('c'))]],
    ['```\n[spoiler]\n```\na[/spoiler]', [codeBlock('[spoiler]'), paragraph(text('a[/spoiler]'))]],
  ])('%j', (input, blocks) => expect(parseMarkup(input)).toEqual(blocks))

  test('contains no links, quotes or spoilers', () => {
    const markup = fc.constantFrom('>>12', '>a', 'https://a.de/', '[spoiler]b[/spoiler]', ' ', 'x', '\n', '\r\n', '`')
    const inner = fc.array(markup).map((parts) => parts.join('').replace(/^```/gm, 'x'))
    fc.assert(
      fc.property(inner, (value) => {
        const shown = value.replace(/\r\n?/g, '\n')
        expect(parseMarkup(`\`\`\`\n${value}\n\`\`\``)).toEqual([codeBlock(shown)])
        const line = value.replace(/[\r\n`]/g, '').trim()
        if (line !== '') expect(parseMarkup(`\`${line}\``)).toEqual([paragraph(code(line))])
        expect(quotedPosts(`\`\`\`\n${value}\n\`\`\`\n\`>>7\` >>8`, 9)).toEqual([8])
      }),
    )
  })

  test('stays text beyond the limit of a post', () => {
    const blocks = parseMarkup(`${'>>1 '.repeat(3000)}\n\`a\`\n\`\`\`\n>>2\n\`\`\``)
    expect(blocks).toHaveLength(1)
    expect(nodesOf(blocks).at(-1)).toEqual(text(`${' >>1'.repeat(2001)} \n\`a\`\n\`\`\`\n>>2\n\`\`\``))
  })

  test('costs what its colours may cost', () => {
    expect(measureMarkup('```\n```')).toEqual({ nodes: 5, codeBytes: 0 })
    expect(measureMarkup(`\`\`\`\n${'x'.repeat(240)}\n\`\`\``)).toEqual({ nodes: 15, codeBytes: 2200 })
    expect(measureMarkup(`\`\`\`\n${'x'.repeat(20_000)}\n\`\`\``)).toEqual({ nodes: 255, codeBytes: 55_000 })
    expect(measureMarkup('`a`')).toEqual({ nodes: 2, codeBytes: 0 })
  })
})

describe('excerpt', () => {
  test.each([
    ['see `a`:\n```js\nlet b\n\nb++\n```\nc', 99, 'see a: let b b++ c'],
    ['short', 5, 'short'],
    ['longer', 5, 'longe…'],
    ['one two', 4, 'one…'],
    [' one\n\n>two\r\n  three ', 99, 'one >two three'],
    ['>>12 see https://a.de/b', 99, '>>12 see https://a.de/b'],
    ['it was [spoiler]the\n\nbutler[/spoiler]!', 99, 'it was [spoiler] !'],
    ['it was [spoiler]the butler[/spoiler]!', 99, 'it was [spoiler]!'],
    ['[spoiler]open', 99, '[spoiler]open'],
    ['😀😀😀', 2, '😀😀…'],
    ['ab👨‍👩‍👧', 4, 'ab…'],
    ['abe\u0301', 3, 'ab…'],
    ['🇩🇪🇫🇷', 3, '🇩🇪…'],
    ['👨‍👩‍👧', 2, '👨\u200d…'],
    ['', 5, ''],
  ])('%j in %i: %j', (input, max, expected) => expect(excerpt(input, max)).toBe(expected))

  test.each([
    ['>>12\n>quoted\nown words', 'own words'],
    ['see >>12 and >>13 above', 'see and above'],
    ['>>12\n>quoted', '>>12 >quoted'],
    ['>[spoiler]SECRET\n\nSECRET[/spoiler]', '>[spoiler]'],
  ])('without quotes, %j is %j', (input, expected) => expect(excerpt(input, 99, { skipQuotes: true })).toBe(expected))

  test('hides code in a spoiler that is cut off', () => {
    const long = `\n\`\`\`\nSECRET\n${'x '.repeat(5000)}`
    expect(excerpt(`a [spoiler]b${long}`, 99)).toBe('a [spoiler]…')
    expect(excerpt(`a [spoiler]b${long}\n\`\`\`\n[/spoiler]`, 99)).toBe('a [spoiler]…')
    expect(excerpt(`a \`[spoiler]\` b ${'x '.repeat(5000)}`, 17)).toBe('a [spoiler] b x x…')
  })

  test('reads only the beginning of a long text, and hides an unclosed spoiler in it', () => {
    const long = 'x '.repeat(5000)
    expect(excerpt(`a [spoiler]SECRET ${long}[/spoiler] b`, 99)).toBe('a [spoiler]…')
    expect(excerpt(`a [spoiler]b[/spoiler] ${' '.repeat(20_000)} c`, 99)).toBe('a [spoiler]…')
    expect(excerpt('😀'.repeat(20_000), 3)).toBe('😀😀😀…')
    // The database cuts texts at `excerptSource` characters. A text of this length may continue, so it gets a "…".
    for (const max of [boardLimits.threadPreview, boardLimits.commentPreview])
      expect(excerpt(`a${' '.repeat(excerptSource - 1)}`, max)).toBe('a…')
  })

  test('returns one well-formed line within the limit, without spoilers', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '😀', 'e\u0301', '👨‍👩‍👧', '[spoiler]SECRET[/spoiler]', '>')
    fc.assert(
      fc.property(fc.array(unit), fc.nat(40), (units, max) => {
        const result = excerpt(units.join(''), max)
        expect([...result.replace(/…$/, '')].length).toBeLessThanOrEqual(max)
        expect(result.isWellFormed()).toBe(true)
        expect(result).not.toMatch(/SECRET|\s\s|\n/)
      }),
    )
  })
})
