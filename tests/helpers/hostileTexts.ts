/** Creates a text of about the given number of characters. */
export type TextOfSize = (size: number) => string
/** Texts by name. */
export type HostileTexts = Record<string, TextOfSize>

/** Repeats a piece until the text has the given length. */
export const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length))

const filledWith = (pieces: readonly string[], start = ''): HostileTexts =>
  Object.fromEntries(pieces.map((piece) => [JSON.stringify(start + piece), (size) => start + fill(piece, size)]))
/** Combining marks: normalization needs quadratic time for long runs of them. */
export const markRuns = filledWith(['\u0316\u0301', '\u05b0\u0591', '\u0316\uff9e', '\u{1d165}\u{1e8d0}'])

/** Pieces of posts that could make the parser of markup look ahead again and again. */
export const markupPieces = [
  '[spoiler]',
  '[/spoiler]',
  '[spoiler]a\n>b[/spoiler]',
  '[spoiler]http://a',
  'http://',
  'http://a ',
  'http://a)',
  'http://[ ',
  'http://(',
  'h',
  'h ',
  '(',
  ')',
  '.',
  ' ',
  '>>1',
  '>>1 ',
  '>\n',
  '\n',
  '\r\n',
  '\r',
  'a\n',
  'a\n\n',
  ' \n',
  '\u{1f600}',
  '>>1[spoiler]http://a.(\r\n[/spoiler]>',
  '`',
  '`a',
  ' `a`',
  '``',
  '```',
  '```\n',
  '\n```\n',
  '```js\n',
  '\n```js\n\n```\na',
  '[spoiler]\n```\na\n```\n[/spoiler]\n',
  '\n```  ',
]
export const hostilePosts: HostileTexts = Object.assign(
  {},
  ...['', 'http://a', '[spoiler]'].map((start) => filledWith(markupPieces, start)),
)

const pseudoWords = Array.from({ length: 2000 }, (_, index) => `w${(index * 7919).toString(36)}`)

/** Kinds and values of 200 filters of moderators. */
export const manyFilters = Array.from({ length: 200 }, (_, index) => {
  const value = `q${index}z`
  if (index % 3 === 0) return ['literal', `${value} ${value}`] as const
  if (index % 3 === 1) return ['domain', `${value}.example`] as const
  return ['pattern', `\\b${value}\\b.{0,20}(${value}|${value}s)`] as const
})
/** Patterns that need a new state for each character of `randomBits`. */
export const slowPatterns = [...'efghi'].map((letter) => ['pattern', `[ab]*a[ab]{480}[c-${letter}]`] as const)
export const randomBits: TextOfSize = (size) =>
  Array.from({ length: size }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('')

/** Texts that need most work from the filters of moderators. */
export const filteredTexts: HostileTexts = {
  'many words': (size) => {
    let written = ''
    for (let at = 0; written.length < size; at++) written += `${pseudoWords[(at * 31) % pseudoWords.length]} `
    return written.slice(0, size)
  },
  'combining marks': (size) => 'a\u0301\u0316'.padEnd(size, '\u0301\u0316'),
  'halfwidth sound marks': (size) => 'a'.padEnd(size, '\uff9e\u0316'),
  'ligatures that expand': (size) => fill('\ufdfa', size),
  ...filledWith(['a.', 'a.b ', 'ä.b ', 'http://a.b ', 'http:']),
}

/** Beginnings of source code in several languages. */
export const codeUnits = filledWith([
  'a',
  '\n',
  'a: \n',
  'a{\n',
  '# a\n',
  'SELECT a\n',
  'package a\n',
  'FROM a\nx\n',
  '[a]\n#\n',
  ' ',
  '(x: ',
  '@media\n',
  '{',
  '[',
])

/** Pieces of HTML from other boards. */
export const boardHtml = filledWith([
  '<a href="http://x">',
  '<span class="spoiler">',
  '<pre>',
  '<p>',
  ' ',
  '\n',
  '&amp;',
  '<',
  '</b>',
])

/** Blocks of ICY metadata. */
export const icyBlocks: HostileTexts = {
  'ends of titles': (size) => `StreamTitle='${fill("';  ", size)}`,
  quotes: (size) => `StreamTitle='${fill("'", size)}x`,
  blanks: (size) => `StreamTitle='${`'${fill(' ', size / 2)}`.repeat(2)}x`,
  'other fields': (size) => `StreamTitle='${fill("';a", size)}`,
}

/** Units of posts that are compared with recent posts. */
export const repeatedUnits = filledWith([
  'a ',
  'ab',
  'e\u0301\u0336\u0317',
  'ｃ ',
  'https://',
  '加',
  '\u200b',
  '=\u0301',
])

/** Bytes as Latin-1 that look like the beginnings of frames. */
export const frameNoise = filledWith(['\xff', 'OggS\0', 'ID3', '\xff\xfb\x90\0', '\xff\xf1\x50\x83\xff\xff\xfc'])
