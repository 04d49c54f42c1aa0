import { type CommandServices, runCommand, UsageError } from '#server/core/cli/command.ts'
import { formatCount, printOutput } from '#server/core/cli/terminal.ts'
import { feedUrls } from '#server/features/news/defaultFeeds.ts'
import type { Feed } from '#server/features/news/feed/types.ts'
import { type FeedStatus, listFeedStatus } from '#server/features/news/feedStatus.ts'
import { type FetchResult, fetchFeed } from '#server/features/news/fetchFeed.ts'
import { forEachByHost, queueForHost } from '#server/features/news/hostQueue.ts'

const USAGE = `npm run feeds -- check [URL...]     fetches the feeds of the settings, or these, and stores nothing
npm run feeds -- list               shows the status of past fetches`

const MAX_HOSTS = 4
const MAX_TITLES = 3
const NO_FEEDS = 'There are no feeds: NEWS_FEEDS is empty'
const formats: Record<Feed['format'], string> = { rss: 'RSS', rdf: 'RDF', atom: 'Atom', json: 'JSON Feed' }

runCommand(USAGE, async (services, [action, ...urls]) => {
  if (action === 'list' && urls.length === 0) return list(services)
  if (action !== 'check') throw new UsageError()
  const invalid = urls.find((url) => !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
  if (invalid !== undefined) throw new Error(`${clean(invalid)} is not an http or https URL`)
  return check(services, urls.length > 0 ? [...new Set(urls)] : feedUrls(services.config))
})

async function list(services: CommandServices): Promise<void> {
  const fetched = await listFeedStatus(services)
  const others = feedUrls(services.config).filter((url) => !fetched.some((feed) => feed.url === url))
  if (fetched.length + others.length === 0) return printOutput(NO_FEEDS)
  for (const feed of fetched) printStatus(feed)
  for (const url of others) printOutput(`${clean(url)}\n  not fetched yet`)
}

function printStatus({ url, checkedAt, nextAt, failures, failure, articles }: FeedStatus): void {
  const last = checkedAt ? `last fetch ${formatMinute(checkedAt)}` : 'not fetched yet'
  printOutput(clean(url))
  printOutput(`  ${formatCount(articles, 'article')}, ${last}, next ${formatMinute(nextAt)}`)
  if (failures > 0)
    printOutput(`  ${formatCount(failures, 'failure')} in a row, the last one: ${clean(failure ?? 'unknown')}`)
}

/** Prints results in the order of the feeds. @returns exit code 1 if any feed cannot be read */
async function check(services: CommandServices, urls: string[]): Promise<number | undefined> {
  if (urls.length === 0) return void printOutput(NO_FEEDS)
  const results = new Map<string, FetchResult>()
  let printed = 0
  const hostOf = (url: string) => new URL(url).hostname
  await forEachByHost(urls, hostOf, { hosts: MAX_HOSTS, stop: () => false }, async (url) => {
    results.set(url, await queueForHost(hostOf(url), () => fetchFeed(services, url)))
    for (let next = urls[printed]; next !== undefined; next = urls[++printed]) {
      const result = results.get(next)
      if (!result) return
      printResult(next, result)
    }
  })
  const read = [...results.values()].filter(({ kind }) => kind === 'read').length
  printOutput(`${read} of ${formatCount(urls.length, 'feed')} read`)
  return read < urls.length ? 1 : undefined
}

function printResult(url: string, result: FetchResult): void {
  printOutput(clean(url))
  if (result.kind === 'failed') printOutput(`  failed: ${result.reason}`)
  if (result.kind !== 'read') return
  const { format, title, items, skipped } = result.feed
  if (result.url.href !== new URL(url).href) printOutput(`  redirected to ${clean(result.url.href)}`)
  printOutput(`  ${formats[format]}, ${title === null ? 'no title' : `“${clean(title)}”`}`)
  const dates = items.flatMap(({ publishedAt }) => publishedAt?.getTime() ?? [])
  const newest = dates.length > 0 ? `newest ${formatMinute(new Date(Math.max(...dates)))}` : 'no dates'
  const withImage = items.filter(({ images }) => images.length > 0).length
  printOutput(
    `  ${formatCount(items.length, 'entry', 'entries')}, ${skipped} skipped, ${newest}, ${withImage} with an image`,
  )
  for (const item of items.slice(0, MAX_TITLES)) printOutput(`  - ${clean(item.title)}`)
}

/** Removes control characters from untrusted text, because they could control the terminal. */
const clean = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 200)

const formatMinute = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
