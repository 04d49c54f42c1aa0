type Block = { line: number; text: string }

const CODE = /\.(ts|tsx|mjs|js|css)$/
const HASH_COMMENTS = /\.(ya?ml|npmrc)$|Dockerfile$|\.env\.example$|\.ci\/run$/
const STRING = String.raw`(?:'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|${'`'}((?:[^${'`'}\\]|\\.)+)${'`'})`
const TEST_NAME = new RegExp(String.raw`(?:\b(?:test|it|describe)(?:\.\w+)*\(|\]\)\()\s*${STRING},`, 'g')
const ERROR_TEXT = new RegExp(String.raw`\b(?:new \w*Error|log\.(?:warn|error|info))\(\s*(?:\{.*?\}, )?${STRING}`, 'g')

const lineOf = (source: string, index: number) => source.slice(0, index).split('\n').length

/** Joins consecutive lines into blocks. `strip` returns the text of a line, or null to end the block. */
const joinLines = (source: string, strip: (line: string, inBlock: boolean) => string | null): Block[] => {
  const blocks: Block[] = []
  let open: Block | null = null
  source.split('\n').forEach((line, index) => {
    const text = strip(line, open !== null)
    if (text === null) open = null
    else if (open) open.text += ` ${text}`
    else {
      open = { line: index + 1, text }
      blocks.push(open)
    }
  })
  return blocks
}

const matchStrings = (source: string, pattern: RegExp) =>
  [...source.matchAll(pattern)].map((match) => ({
    line: lineOf(source, match.index),
    text: match.slice(1).find(Boolean) ?? '',
  }))

const commentsOf = (source: string): Block[] => [
  ...joinLines(source, (line) => /^\s*\/\/ ?(.*)$/.exec(line)?.[1] ?? null),
  ...[...source.matchAll(/\S.*? \/\/ (.*)$/gm)].map(({ index, 1: text = '' }) => ({
    line: lineOf(source, index),
    text,
  })),
  ...[...source.matchAll(/(?<=^|[\s{(])\/\*\*?(?!\*)([\s\S]*?)\*\//g)].map(({ index, 1: text = '' }) => ({
    line: lineOf(source, index),
    text: text.replace(/^\s*\* ?/gm, ' ').replace(/@\w+( \w+ -)?/g, '. '),
  })),
]

const markdownOf = (source: string): Block[] => {
  const prose = source.replace(/^```.*?^```/gms, (code) => code.replace(/[^\n]/g, ''))
  const list = prose.replace(/^\|.*$/gm, (row) => row.replace(/(?<!\\)\|/g, '. '))
  return joinLines(list, (line, open) => {
    if (/^\s*$|^#|^[.\s:-]+$/.test(line)) return null
    return open && /^([-*.]|\d+\.) /.test(line) ? `. ${line.replace(/^([-*]|\d+\.) /, '')}` : line.replace(/^[-*] /, '')
  })
}

const blocksOf = (file: string, source: string): Block[] => {
  if (file.endsWith('.md')) return markdownOf(source)
  if (HASH_COMMENTS.test(file)) return joinLines(source, (line) => /^\s*# ?(.*)$/.exec(line)?.[1] ?? null)
  if (!CODE.test(file)) return []
  return [...commentsOf(source), ...matchStrings(source, TEST_NAME), ...matchStrings(source, ERROR_TEXT)]
}

const splitSentences = (text: string) =>
  text
    .replace(/`[^`]*`|\$\{[^}]*\}/g, '`x`')
    .replace(/\]\([^)]*\)|https?:\S+|[*[\]]/g, '')
    .split(/(?<=[.!?])\s+|\s*; /)
    .map((sentence) => sentence.replace(/\s+/g, ' ').replace(/^[.\s]+|\s$/g, ''))
    .filter((sentence) => (sentence.match(/[a-z]{2,}/gi)?.length ?? 0) >= 2 && !sentence.startsWith('biome-ignore'))

/** Returns the sentences in a document, or in the comments, test names and error messages of a source file. */
export const extractSentences = (file: string, source: string): Block[] =>
  blocksOf(file, source).flatMap(({ line, text }) => splitSentences(text).map((sentence) => ({ line, text: sentence })))
