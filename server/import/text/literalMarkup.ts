/**
 * A word joiner: invisible, and lines do not break at it. Between the characters of a mark, or after a backtick, it makes
 * them text.
 */
export const JOINER = '\u2060'

/**
 * Stand for markup until the text is complete, so that the same characters in the source stay text. Unicode assigns no
 * characters to these numbers.
 */
export const MARK = {
  code: '\ufdd0',
  codeEnd: '\ufdd1',
  block: '\ufdd2',
  blockEnd: '\ufdd3',
  spoiler: '\ufdd4',
  spoilerEnd: '\ufdd5',
  /** a `>` of a link to a post */
  link: '\ufdd6',
} as const

const ANY_MARK = /[\ufdd0-\ufdef]/g
const CODE = new RegExp(`(${MARK.code}[^]*?${MARK.codeEnd}|${MARK.block}[^]*?${MARK.blockEnd})`)
const BLANK_SPOILER = new RegExp(`${MARK.spoiler}(\\s*)${MARK.spoilerEnd}`, 'g')
const POST_NUMBER = /(^|[^>])>>((?:>\/[^\s/>]{1,64}\/)?\d+)(?=([\s\S]?))/g
/** The characters around a link to a post in vichan. `a>>1` and `>>1a` are text. */
const BEFORE_LINK = /^[\s(\ufdd4\ufdd5]?$/
const AFTER_LINK = /^[\s,.?!)\ufdd4\ufdd5]?$/

/** Removes characters that would look like marks. */
export const withoutMarks = (text: string) => text.replace(ANY_MARK, '')

/** Writes text that may have the characters of markup as text. */
export const withoutMarkup = (text: string) => writeMarks(withoutMarks(text))

/** Writes the marks of a text as this site's markup. All other characters stay text. */
export function writeMarks(text: string): string {
  let out = ''
  for (const [index, piece] of text.replace(BLANK_SPOILER, '$1').split(CODE).entries()) {
    const written = index % 2 === 0 ? writeText(piece) : writeCode(piece, out.at(-1) ?? '\n')
    // Two backticks beside each other begin and end nothing.
    out += out.endsWith('`') && written.startsWith('`') ? JOINER + written : written
  }
  return out
}

const writeText = (text: string) =>
  text
    .replace(/`+/g, `$&${JOINER}`)
    .replace(/\[(?=\/?spoiler\])/gi, `[${JOINER}`)
    .replace(POST_NUMBER, (link, before: string, target: string, after: string) =>
      BEFORE_LINK.test(before) && AFTER_LINK.test(after) ? link : `${before}>${JOINER}>${target}`,
    )
    .replaceAll(`>${MARK.link}`, `>${JOINER}${MARK.link}`)
    .replaceAll(MARK.spoiler, '[spoiler]')
    .replaceAll(MARK.spoilerEnd, '[/spoiler]')
    .replaceAll(MARK.link, '>')
    .replace(ANY_MARK, '')

/** Writes code with line breaks or backticks as a block: code on a line cannot have them. */
function writeCode(piece: string, before: string): string {
  const isBlock = piece.startsWith(MARK.block)
  const text = withoutMarks(piece)
  if (!isBlock && !/[`\n]/.test(text)) {
    const code = text.trim() && `\`${text.trim()}\``
    // After a letter, a backtick is an apostrophe.
    return /[a-zA-Z0-9]/.test(before) ? JOINER + code : code
  }
  const lines = text.replace(/^```/gm, `${JOINER}$&`).replace(/\n$/, '')
  return `${before === '\n' ? '' : '\n'}\`\`\`\n${lines}\n\`\`\`${isBlock ? '' : '\n'}`
}
