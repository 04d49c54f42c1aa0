// biome-ignore lint/suspicious/noExplicitAny: the tests read arbitrary JSON-LD
type Json = any

type Check = (value: Json, origin: string, item?: Json) => boolean

const isText: Check = (value) => typeof value === 'string' && value.trim() !== ''
const isAddress: Check = (value) => typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value)
const isOurs: Check = (value, origin) => isAddress(value, origin) && new URL(value).origin === new URL(origin).origin
const isDate: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
const isCount: Check = (value) => Number.isInteger(value) && value >= 0
const isThing =
  (...types: string[]): Check =>
  (value) =>
    types.includes(value?.['@type'])
const maybe =
  (check: Check): Check =>
  (value, origin) =>
    value === undefined || check(value, origin)
const each =
  (check: Check): Check =>
  (value, origin) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => check(one, origin))

const posted: Record<string, Check> = {
  author: (value, origin, item) =>
    item.creativeWorkStatus === 'Deleted' ? value === undefined : isThing('Person', 'Organization')(value, origin),
  datePublished: isDate,
  dateModified: maybe(isDate),
  url: isOurs,
  image: maybe(isThing('ImageObject')),
  comment: maybe((value) => Array.isArray(value) && value.every((one) => one['@type'] === 'Comment')),
}

/** Required properties by type, according to schema.org and the guidelines of large search engines. */
const required: Record<string, Record<string, Check>> = {
  DiscussionForumPosting: {
    ...posted,
    headline: isText,
    text: (value) => isText(value, ''),
    isPartOf: maybe(isThing('CollectionPage')),
    commentCount: isCount,
    interactionStatistic: isThing('InteractionCounter'),
  },
  Comment: { ...posted, text: (value) => isText(value, '') },
  Person: { name: isText },
  ImageObject: { url: isOurs, width: isCount, height: isCount },
  CollectionPage: { name: isText, url: isOurs },
  InteractionCounter: {
    interactionType: (value) => /^https:\/\/schema\.org\/\w+Action$/.test(value),
    userInteractionCount: isCount,
  },
  BreadcrumbList: {
    itemListElement: (value, origin) =>
      each(isThing('ListItem'))(value, origin) &&
      value.length >= 2 &&
      value.every((one: Json, index: number) => one.position === index + 1),
  },
  ListItem: { position: isCount, name: isText, item: isOurs },
  BroadcastEvent: {
    name: isText,
    description: maybe(isText),
    image: maybe(isOurs),
    startDate: isDate,
    endDate: isDate,
    isLiveBroadcast: (value) => value === true,
    url: isOurs,
    performer: isThing('Person'),
    publishedOn: isThing('BroadcastService'),
  },
  BroadcastService: { name: isText, broadcastDisplayName: isText, url: isOurs },
  WebSite: { name: isText, url: isOurs },
  Organization: { name: isText, url: isOurs, logo: isOurs, sameAs: each(isAddress) },
}

/**
 * Lists missing and invalid properties as `Type.property`, including those of nested items.
 * @param origin origin that site URLs must have
 */
export function findSchemaErrors(value: Json, origin: string): string[] {
  const wrong = value?.['@context'] === 'https://schema.org' ? [] : ['@context']
  return [...wrong, ...inside(value, origin)]
}

function inside(value: Json, origin: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => inside(one, origin))
  if (typeof value !== 'object' || value === null) return []
  const type = value['@type']
  // only a reference: the item is described elsewhere
  if (type === undefined && value['@id'] !== undefined) return []
  const checks = required[type]
  if (!checks) return [`unknown type ${type}`]
  const wrong = Object.entries(checks).flatMap(([name, check]) =>
    check(value[name], origin, value) ? [] : [`${type}.${name}: ${JSON.stringify(value[name])?.slice(0, 80)}`],
  )
  return [...wrong, ...Object.values(value).flatMap((part) => inside(part, origin))]
}
