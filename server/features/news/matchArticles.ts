import type { article } from '#db/schema/index.ts'
import { type Candidate, hashUrl } from './candidates.ts'

export type KnownArticle = Pick<
  typeof article.$inferSelect,
  'id' | 'feedUrl' | 'guid' | 'url' | 'urlKey' | 'title' | 'source' | 'publishedAt' | 'seenAt' | 'imageId' | 'imageUrls'
>
export type Matches = {
  added: Candidate[]
  own: { row: KnownArticle; candidate: Candidate }[]
  others: { row: KnownArticle; candidate: Candidate }[]
  /** articles of this feed whose guid now belongs to another item */
  displaced: KnownArticle[]
}

type Comparison = (row: KnownArticle, candidate: Candidate) => boolean

const hasSameGuid: Comparison = (row, { guid }) => row.guid === guid
const hasSameTitle: Comparison = (row, { title }) => row.title === title
const hasSameDate: Comparison = (row, { publishedAt }) => row.publishedAt.getTime() === publishedAt.getTime()

/** Some feeds number their items from the top, so each new item shifts the guids to other articles. */
const isRenumbered: Comparison = (row, candidate) =>
  hasSameTitle(row, candidate) && (hasSameDate(row, candidate) || !candidate.dated)

/** Some feeds have new guids in each response. An item with another guid, title and date is another article. */
const isRenamed: Comparison = (row, candidate) =>
  hasSameTitle(row, candidate) || hasSameDate(row, candidate) || !candidate.hasGuid

/** Some feeds move an article to another URL. A reused guid has another title and date, too. */
const isMoved: Comparison = (row, candidate) =>
  hasSameGuid(row, candidate) && (!candidate.dated || hasSameTitle(row, candidate) || hasSameDate(row, candidate))

/**
 * Matches items with stored articles, the most certain ones first. Within a feed, items that share a URL are distinct
 * articles. Articles of different feeds match by URL.
 * @param known articles with a key of the candidates, and articles of this feed with a guid of the candidates
 */
export function matchArticles(candidates: Candidate[], known: KnownArticle[], feedUrl: string): Matches {
  const keyOfUrl = new Map(known.map((row) => [row, hashUrl(row.url)]))
  const own = known.filter((row) => row.feedUrl === feedUrl)
  const others = known.filter((row) => row.feedUrl !== feedUrl)
  const urlKeys = [candidates.map(({ urlKey }) => urlKey), own.map((row) => keyOfUrl.get(row))]
  const shared = new Set(urlKeys.flatMap((keys) => keys.filter((key, index) => keys.indexOf(key) !== index)))
  const rows = new Map<Candidate, KnownArticle>()
  const matched = new Set<KnownArticle>()

  function match(list: KnownArticle[], isSame: Comparison): void {
    for (const candidate of candidates) {
      if (rows.has(candidate)) continue
      const row = list.find((row) => !matched.has(row) && isSame(row, candidate))
      if (!row) continue
      rows.set(candidate, row)
      matched.add(row)
    }
  }
  const hasSameUrl: Comparison = (row, candidate) => keyOfUrl.get(row) === candidate.urlKey
  const isShared: Comparison = (_row, { urlKey }) => shared.has(urlKey)

  match(own, (...pair) => hasSameUrl(...pair) && hasSameGuid(...pair) && hasSameTitle(...pair))
  match(own, (...pair) => hasSameUrl(...pair) && isRenumbered(...pair))
  match(own, (...pair) => hasSameUrl(...pair) && hasSameGuid(...pair))
  match(own, (...pair) => hasSameUrl(...pair) && !isShared(...pair) && isRenamed(...pair))
  match(others, (...pair) => hasSameUrl(...pair) && (!isShared(...pair) || hasSameGuid(...pair)))
  match(own, isMoved)

  const matches: Matches = { added: [], own: [], others: [], displaced: [] }
  const takeKey = createKeys(known)
  const owners = new Map<string, KnownArticle | undefined>()
  for (const candidate of candidates) {
    const row = rows.get(candidate)
    if (row && row.feedUrl !== feedUrl) {
      matches.others.push({ row, candidate })
      continue
    }
    const urlKey = row && hasSameUrl(row, candidate) ? row.urlKey : takeKey(candidate)
    if (urlKey === null) continue
    owners.set(candidate.guid, row)
    if (row) matches.own.push({ row, candidate: { ...candidate, urlKey } })
    else matches.added.push({ ...candidate, urlKey })
  }
  matches.displaced = own.filter((row) => owners.has(row.guid) && owners.get(row.guid) !== row)
  return matches
}

/** Returns a function that returns an unused key of an article; null if another article has the same content. */
function createKeys(known: KnownArticle[]) {
  const taken = new Set(known.map(({ urlKey }) => urlKey))
  return ({ urlKey, itemKey }: Candidate): string | null => {
    const key = [urlKey, itemKey].find((key) => !taken.has(key))
    if (key === undefined) return null
    taken.add(key)
    return key
  }
}
