/** English texts, or patterns such as '{label} must be at most {max} characters', and their translations. */
export type RefusalTable = Record<string, string>

/** Returns the translation, or null if the table does not have the text. */
export type Translator = (text: string) => string | null

/** Longer texts are not compared with the patterns: no refusal has this length. */
const MAX_LENGTH = 2000

const PLACEHOLDER = /\{(\w+)\}/g
/** Placeholders whose values are texts of the table themselves. */
const NESTED = ['label', 'text']
/** These classes keep the comparison linear: a pattern has at most one placeholder that matches any text. */
const CLASSES: Record<string, string> = {
  date: '[\\d/: ]+',
  filters: '\\d+',
  max: '\\d+',
  min: '\\d+',
  minutes: '\\d+',
  seconds: '\\d+',
}

export function createTranslator(table: RefusalTable): Translator {
  const patterns = Object.entries(table)
    .filter(([english]) => english.search(PLACEHOLDER) >= 0)
    .sort(([one], [other]) => other.length - one.length)
    .map(([english, translation]) => ({ pattern: toRegExp(english), translation }))

  const find = (text: string): string | null => {
    if (Object.hasOwn(table, text)) return table[text] ?? null
    if (text.length > MAX_LENGTH) return null
    for (const { pattern, translation } of patterns) {
      const values = pattern.exec(text)?.groups
      if (values) return translation.replace(PLACEHOLDER, (_, name: string) => translateValue(name, values[name] ?? ''))
    }
    return null
  }
  const translateValue = (name: string, value: string) => (NESTED.includes(name) ? (find(value) ?? value) : value)
  return find
}

function toRegExp(english: string): RegExp {
  const [start = '', ...rest] = english.split(PLACEHOLDER)
  let source = escapeRegExp(start)
  for (let at = 0; at < rest.length; at += 2) {
    const [name = '', literal = ''] = rest.slice(at)
    source += `(?<${name}>${CLASSES[name] ?? '.+'})${escapeRegExp(literal)}`
  }
  return new RegExp(`^${source}$`, 's')
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
