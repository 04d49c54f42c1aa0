import { RE2JS } from 're2js'
import type { FilterField } from '#src/contract/filters.ts'
import { type CompiledFilters, type Filter, FLAGS, listMatching, patternOf, scopeOf } from './compileFilters.ts'
import { cleanText, type IsBoard, SPOILER_TAG, splitAtLinks } from './filterText.ts'

/** Replaces what filters with this effect find in a field, one filter after the other. */
export function replaceMatches(compiled: CompiledFilters, field: FilterField, text: string): string {
  const read = text.replace(SPOILER_TAG, '')
  const found = [...listMatching(compiled, field, read)].filter(({ effect }) => effect === 'replace')
  return [...new Set(found)].reduce((before, filter) => replaceBy(filter, field, before, compiled.isBoard), text)
}

function replaceBy(filter: Filter, field: FilterField, text: string, isBoard: IsBoard): string {
  const pattern = RE2JS.compile(patternOf(filter), FLAGS)
  const replace = (part: string) => replaceAcrossTags(pattern, part, filter.replacement)
  const scope = field === 'post' ? scopeOf(filter) : 'everything'
  const split = (whole: string) =>
    scope === 'everything' ? [whole] : splitAtLinks(whole, { withUrls: scope === 'no links', isBoard })
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

/** Finds matches that tags of spoilers split, too. If a spoiler hides a part of one, it hides the whole replacement. */
function replaceAcrossTags(pattern: RE2JS, text: string, replacement: string): string {
  const tags = [...text.matchAll(SPOILER_TAG)]
  const matcher = pattern.matcher(text.replace(SPOILER_TAG, ''))
  let result = ''
  let [at, passed, shift] = [0, 0, 0]
  /** Returns the place in the text of a place between the tags. */
  const placeOf = (index: number, isEnd: boolean): number => {
    for (let tag = tags[passed]; tag && tag.index - shift < index + (isEnd ? 0 : 1); tag = tags[++passed])
      shift += tag[0].length
    return index + shift
  }
  while (matcher.find()) {
    const [from, to] = [placeOf(matcher.start(), false), placeOf(matcher.end(), true)]
    const inside = text.slice(from, to).match(SPOILER_TAG) ?? []
    const [closing, opening] = [true, false].map((isClosing) =>
      inside.filter((tag) => tag.startsWith('[/') === isClosing).join(''),
    )
    result += `${text.slice(at, from)}${opening}${replacement}${closing}`
    at = to
  }
  return result + text.slice(at)
}
