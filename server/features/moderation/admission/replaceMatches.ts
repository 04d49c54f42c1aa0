import { RE2JS } from 're2js'
import type { FilterField } from '#src/contract/filters.ts'
import { type CompiledFilters, type Filter, FLAGS, listMatching, patternOf, scopeOf } from './compileFilters.ts'
import { cleanText, splitAtPostLinks, splitAtUrls } from './filterText.ts'

/** Replaces what filters with this effect find in a field, one filter after the other. */
export function replaceMatches(compiled: CompiledFilters, field: FilterField, text: string): string {
  const found = [...listMatching(compiled, field, text)].filter(({ effect }) => effect === 'replace')
  return [...new Set(found)].reduce((before, filter) => replaceBy(filter, field, before), text)
}

function replaceBy(filter: Filter, field: FilterField, text: string): string {
  const pattern = RE2JS.compile(patternOf(filter), FLAGS)
  const replace = (part: string) => pattern.matcher(part).replaceAll(() => filter.replacement)
  const scope = field === 'post' ? scopeOf(filter) : 'everything'
  const split = { everything: (whole: string) => [whole], 'no post links': splitAtPostLinks, 'no links': splitAtUrls }[
    scope
  ]
  // Every second part is a link, which the filter does not read.
  const replaceOutside = (whole: string) =>
    split(whole)
      .map((part, index) => (index % 2 === 0 ? replace(part) : part))
      .join('')
  const replaced = replaceOutside(text)
  const normal = replaceOutside(cleanText(text))
  // The text as its author wrote it stays, unless other forms of letters hid a match.
  return cleanText(replaced) === normal ? replaced : normal
}
