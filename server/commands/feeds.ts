import { formatCount, printOutput } from '#server/core/cli/terminal.ts'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { feedUrls, listFeeds, tryFeed } from '#server/features/news/feeds.ts'
import { FEED_FORMATS, type FeedView, type TriedFeed } from '#src/contract/news.ts'
import { type CommandServices, runCommand, UsageError } from './command.ts'

const USAGE = `npm run feeds -- check [URL...]     fetches the feeds of the settings, or these, and stores nothing
npm run feeds -- list               shows the status of past fetches`

const AT_ONCE = 4
const MAX_TITLES = 3
const NO_FEEDS = 'There are no feeds: NEWS_FEEDS is empty'

runCommand(USAGE, async (services, [action, ...urls]) => {
  if (action === 'list' && urls.length === 0) return list(services)
  if (action !== 'check') throw new UsageError()
  const invalid = urls.find((url) => !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
  if (invalid !== undefined) throw new Error(`${clean(invalid)} is not an http or https URL`)
  return check(services, urls.length > 0 ? [...new Set(urls)] : feedUrls(services.config))
})

async function list(services: CommandServices): Promise<void> {
  const feeds = await listFeeds(services)
  if (feeds.length === 0) return printOutput(NO_FEEDS)
  for (const feed of feeds) printStatus(feed)
}

function printStatus({ url, checkedAt, nextAt, failures, failure, movedTo, articles }: FeedView): void {
  printOutput(clean(url))
  if (movedTo !== null) printOutput(`  moved for good to ${clean(movedTo)}: change it in NEWS_FEEDS`)
  if (nextAt === null) {
    printOutput('  not fetched yet')
    return
  }
  const last = checkedAt ? `last fetch ${formatMinute(checkedAt)}` : 'not fetched yet'
  printOutput(`  ${formatCount(articles, 'article')}, ${last}, next ${formatMinute(nextAt)}`)
  if (failures > 0)
    printOutput(`  ${formatCount(failures, 'failure')} in a row, the last one: ${clean(failure ?? 'unknown')}`)
}

/** Prints results in the order of the feeds. @returns exit code 1 if any feed cannot be read */
async function check(services: CommandServices, urls: string[]): Promise<number | undefined> {
  if (urls.length === 0) return void printOutput(NO_FEEDS)
  const results = new Map<string, TriedFeed>()
  let printed = 0
  await forEachConcurrently(urls, AT_ONCE, async (url) => {
    results.set(url, await tryFeed(services, url))
    for (let next = urls[printed]; next !== undefined; next = urls[++printed]) {
      const result = results.get(next)
      if (!result) return
      printResult(next, result)
    }
  })
  const read = [...results.values()].filter(({ isRead }) => isRead).length
  printOutput(`${read} of ${formatCount(urls.length, 'feed')} read`)
  return read < urls.length ? 1 : undefined
}

function printResult(url: string, result: TriedFeed): void {
  printOutput(clean(url))
  if (!result.isRead) {
    printOutput(`  failed: ${result.reason}`)
    return
  }
  const { format, title, entries, skipped, withImage, newest } = result
  if (result.url !== new URL(url).href) printOutput(`  redirected to ${clean(result.url)}`)
  printOutput(`  ${FEED_FORMATS[format]}, ${title === null ? 'no title' : `“${clean(title)}”`}`)
  const latest = newest[0]?.publishedAt ?? null
  const date = latest === null ? 'no dates' : `newest ${formatMinute(latest)}`
  printOutput(`  ${formatCount(entries, 'entry', 'entries')}, ${skipped} skipped, ${date}, ${withImage} with an image`)
  for (const item of newest.slice(0, MAX_TITLES)) printOutput(`  - ${clean(item.title)}`)
}

/** Removes control characters from untrusted text, because they could control the terminal. */
const clean = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 200)

const formatMinute = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
