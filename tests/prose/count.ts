import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { patterns } from './patterns.ts'
import { extractSentences } from './sentences.ts'

// Counts sentences with stiff phrasing. Usage: npm run prose -- [--list] [--only PATTERN] [PATH…]

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
})
const patternNames = Object.keys(patterns).filter((name) => name.includes(values.only))
const files = execFileSync('git', ['ls-files', ...positionals], { encoding: 'utf8' })
  .trim()
  .split('\n')
const sentences = files.flatMap((file) =>
  extractSentences(file, readFileSync(file, 'utf8')).map(({ line, text }) => ({
    place: `${file}:${line}`,
    text,
    matches: patternNames.filter((name) => patterns[name]?.test(text)),
  })),
)
const hits = sentences.filter(({ matches }) => matches.length > 0)

if (values.list) for (const { place, matches, text } of hits) console.log(`${place}  [${matches}]  ${text}`)
for (const name of patternNames) {
  console.log(`${String(hits.filter(({ matches }) => matches.includes(name)).length).padStart(5)}  ${name}`)
}
const percent = (100 * hits.length) / (sentences.length || 1)
console.log(`${hits.length} of ${sentences.length} sentences match a pattern (${percent.toFixed(1)} %)`)
