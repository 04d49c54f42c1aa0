import { RE2JS, RE2JSException, RE2Set } from 're2js'
import type { filter } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { type FilterField, filterLimits } from '#src/contract/filters.ts'
import { refusal } from '#src/contract/refusal.ts'
import { withoutPostLinks } from '#src/lib/markup.ts'
import { cleanText, domainsOf, type IsBoard, listHosts, parseDomain, withoutUrls } from './filterText.ts'

export type Filter = Pick<
  typeof filter.$inferSelect,
  'id' | 'kind' | 'value' | 'fields' | 'effect' | 'message' | 'replacement'
>

/**
 * The part of a text that a filter reads. Patterns read everything; literals no links to posts; literals without letters,
 * such as a number, no URLs either.
 */
type Scope = 'everything' | 'no post links' | 'no links'
type FilterSet = { scope: Scope; size: number; set: RE2Set; filters: Filter[] }
export type CompiledFilters = { sets: FilterSet[]; domains: Map<string, Filter>; isBoard: IsBoard }

export const FLAGS = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE
/** Memory for the states of one set, in bytes. */
const SET_MEMORY = 2 * 1024 * 1024
/** Limits the time for a text that needs many states: between two segments, the match can end. */
const SEGMENT = 32 * 1024
/** Longest match that is found across the border of two segments, in characters. */
const OVERLAP = 1024
/**
 * Guards against texts written to make a pattern slow. 200 filters need about 3 ms for a post, 90 ms for a paste.
 * Counts processor time, because on a busy machine an honest paste can wait for a second.
 */
const MAX_MATCH_MS = 1000

/**
 * Returns the value as a filter stores it.
 * @throws AppError 400 with the reason if the value is not valid
 */
export function parseFilterValue({ kind, value }: Pick<Filter, 'kind' | 'value'>): string {
  if (kind === 'domain') {
    const domain = parseDomain(cleanText(value))
    if (!domain) throw errors.badRequest(refusal('moderation.filterDomain'))
    return domain
  }
  let size: number
  try {
    size = compiledSize({ kind, value })
  } catch (error) {
    if (error instanceof RE2JSException)
      throw errors.badRequest(refusal('moderation.filterPattern', { reason: error.message }))
    throw error
  }
  if (size > filterLimits.patternSize) throw errors.badRequest(refusal('moderation.filterPatternSize'))
  if (RE2JS.compile(patternOf({ kind, value }), FLAGS).test(''))
    throw errors.badRequest(refusal('moderation.filterMatchesAll'))
  return value
}

const compiledSize = (given: Pick<Filter, 'kind' | 'value'>) => RE2JS.compile(patternOf(given), FLAGS).programSize()

export const scopeOf = ({ kind, value }: Pick<Filter, 'kind' | 'value'>): Scope => {
  if (kind === 'pattern') return 'everything'
  return /\p{L}/u.test(value) ? 'no post links' : 'no links'
}

/** Returns a filter that finds the text of a literal in links, too. */
export const readLinks = (literal: Filter): Filter => ({ ...literal, kind: 'pattern', value: patternOf(literal) })

/** Returns a filter's pattern. White space in a literal matches any white space. */
export const patternOf = ({ kind, value }: Pick<Filter, 'kind' | 'value'>): string =>
  kind === 'pattern'
    ? value
    : cleanText(value)
        .split(/\s+/)
        .map((word) => RE2JS.quote(word))
        .join('\\s+')

/**
 * Compiles filters. Puts patterns together in sets, because a set needs one pass over the text. A set's size is
 * limited, because the slowest texts need a time that grows with it.
 * @param isBoard links to other boards are text
 * @param onInvalid receives filters that an earlier version of the library accepted
 */
export function compileFilters(
  filters: Filter[],
  onInvalid: (filter: Filter, error: unknown) => void,
  isBoard: IsBoard = () => true,
): CompiledFilters {
  const compiled: CompiledFilters = { sets: [], domains: new Map(), isBoard }
  for (const given of filters) {
    if (given.kind === 'domain') {
      compiled.domains.set(given.value, given)
      continue
    }
    try {
      const added = compiledSize(given)
      const scope = scopeOf(given)
      let current = compiled.sets.findLast((set) => set.scope === scope)
      if (!current || current.size + added > filterLimits.patternSize) {
        current = { scope, size: 0, set: new RE2Set(RE2Set.UNANCHORED, FLAGS, SET_MEMORY), filters: [] }
        compiled.sets.push(current)
      }
      current.set.add(patternOf(given))
      current.filters.push(given)
      current.size += added
    } catch (error) {
      onInvalid(given, error)
    }
  }
  for (const { set } of compiled.sets) set.compile()
  return compiled
}

/**
 * Finds the filter that decides about a text: one that refuses, or else one that holds.
 * @throws AppError 400 if the text takes too long
 */
export function findFilter(compiled: CompiledFilters, field: FilterField, text: string): Filter | null {
  let holding: Filter | null = null
  for (const found of listMatching(compiled, field, text)) {
    if (found.effect === 'refuse') return found
    if (found.effect === 'hold') holding ??= found
  }
  return holding
}

/** Lists the filters that find something in a text, some of them several times. @throws AppError as findFilter */
export function* listMatching(compiled: CompiledFilters, field: FilterField, text: string): Generator<Filter> {
  if (compiled.sets.length === 0 && compiled.domains.size === 0) return
  // Only posts have links to posts.
  const everything = cleanText(text)
  const words = field === 'post' ? cleanText(withoutPostLinks(text, compiled.isBoard)) : everything
  const texts = { everything, 'no post links': words, 'no links': withoutUrls(words) }
  for (const found of matchFilters(compiled, texts)) if (found.fields.includes(field)) yield found
}

function* matchFilters({ sets, domains }: CompiledFilters, texts: Record<Scope, string>): Generator<Filter> {
  const [startedAt, cpuAtStart] = [performance.now(), cpuTime()]
  const checkTime = () => {
    if (performance.now() - startedAt <= MAX_MATCH_MS) return
    if (cpuTime() - cpuAtStart > MAX_MATCH_MS) throw errors.badRequest(refusal('moderation.filterTooSlow'))
  }
  for (const { scope, set, filters } of sets) {
    const cleaned = texts[scope]
    for (let at = 0; at < cleaned.length; at += SEGMENT) {
      checkTime()
      const segment = cleaned.slice(Math.max(0, at - OVERLAP), at + SEGMENT)
      for (const index of set.match(segment)) yield filters[index] as Filter
    }
  }
  if (domains.size === 0) return
  for (const host of listHosts(texts.everything)) {
    checkTime()
    for (const domain of domainsOf(host)) {
      const found = domains.get(domain)
      if (found) yield found
    }
  }
}

/** Returns the processor time in ms: of this thread, or before Node 23.9 of all threads. */
function cpuTime(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage }
  const { user, system } = threadCpuUsage?.call(process) ?? process.cpuUsage()
  return (user + system) / 1000
}
