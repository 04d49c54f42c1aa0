import { childTexts } from '#server/features/news/feed/xml/nodes.ts'
import type { XmlElement } from '#server/features/news/feed/xml/parseXml.ts'

const HOUR = 60 * 60
const PERIODS = new Map([
  ['hourly', HOUR],
  ['daily', 24 * HOUR],
  ['weekly', 7 * 24 * HOUR],
  ['monthly', 30 * 24 * HOUR],
  ['yearly', 365 * 24 * HOUR],
])

/** Returns the refresh interval in seconds, from `ttl` (in minutes) or the syndication module. */
export function refreshSeconds(channel: XmlElement): number | null {
  const minutes = numberIn(childTexts(channel, 'ttl'))
  if (minutes) return minutes * 60
  const [period = ''] = childTexts(channel, 'sy:updateperiod')
  const seconds = PERIODS.get(period.toLowerCase())
  if (seconds === undefined) return null
  return Math.round(seconds / (numberIn(childTexts(channel, 'sy:updatefrequency')) || 1))
}

function numberIn(texts: Iterable<string>): number {
  for (const text of texts) if (/^\d{1,7}(?:\.\d{1,7})?$/.test(text)) return Number(text)
  return 0
}
