import { readdirSync, readFileSync } from 'node:fs'
import { errorTexts } from '#server/core/errors.ts'
import { threadForm } from '#src/contract/boardForms.ts'
import { invalidPattern } from '#src/contract/filters.ts'
import { withRetryTime } from '#src/contract/limits.ts'
import { banText } from '#src/contract/moderation.ts'
import { overlapText } from '#src/contract/show.ts'

/** Modules whose texts are not errors on pages: settings of operators, lines of the IRC bot. */
const OTHER_MODULES = ['site', 'irc']
/** Labels, which pages translate with their own texts. */
const LABELS = ['jobTexts', 'heldForTexts']
const contracts = import.meta.glob<Record<string, unknown>>('/src/contract/*.ts', { eager: true })

/** Lists the texts that the contracts and the server show to people if they refuse something. */
export function listRefusalTexts(): string[] {
  const texts = new Set<string>()
  const add = (text: string) => texts.add(text)
  for (const [path, exported] of Object.entries(contracts)) {
    if (OTHER_MODULES.some((name) => path.endsWith(`/${name}.ts`))) continue
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value === 'string' && /^\w+'?\w* \w/.test(value)) add(value)
      if (/(?:Messages|Texts)$/.test(name) && !LABELS.includes(name)) addStrings(value, add)
      addSchemaTexts(value, add, new Set())
    }
  }
  addStrings(errorTexts, add)
  for (const text of readServerTexts()) add(text)
  for (const text of parametrised()) add(text)
  return [...texts]
}

/** The schemas inside `author` are hidden in a function, so the texts come from values that they refuse. */
function parametrised(): string[] {
  const at = new Date('2026-11-27T20:00:00Z')
  const authors = ['a'.repeat(65), 'a\u200eb', `ab##${'s'.repeat(129)}`, 'ab##s\u200et', 'ab##', 'ab !x']
  return [
    banText({ reason: 'spam, and more', endsAt: at }),
    overlapText('Night “shift” on air', at),
    withRetryTime('Too many attempts.', 30),
    withRetryTime('Too many attempts.', 120),
    invalidPattern('missing closing )'),
    ...authors.map((author) => threadForm.shape.author.safeParse(author).error?.issues[0]?.message ?? ''),
  ]
}

function addStrings(value: unknown, add: (text: string) => void): void {
  if (typeof value === 'string') add(value)
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) addStrings(inner, add)
}

/** Adds the errors of a zod schema, its parts and its checks. */
function addSchemaTexts(value: unknown, add: (text: string) => void, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const { _zod: zod } = value as { _zod?: { def: Record<string, unknown> } }
  const parts = zod?.def ?? value
  if (!zod && !Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return
  for (const [name, part] of Object.entries(parts)) {
    if (zod && name === 'error' && typeof part === 'function') addStrings(part({}), add)
    else addSchemaTexts(part, add, seen)
  }
}

/** Matches the first argument of `errors.notFound(…)` and similar calls: a text, or the name of a constant. */
const REFUSAL = /\b(?:errors\.\w+|tooSoon)\(\s*(?:'([^']+)'|`([^`]+)`|([A-Z][A-Z_]+)\b)/g

function readServerTexts(): string[] {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    const source = readFileSync(`server/${name}`, 'utf8')
    return [...source.matchAll(REFUSAL)].flatMap(([, text, template, constant]) => {
      if (template) return template.replace(/\$\{[^}]+\}/g, 'somebody@example.org')
      return text ?? new RegExp(`const ${constant} = '([^']+)'`).exec(source)?.[1] ?? []
    })
  })
}
