import { type CommandServices, runCommand, usageError } from '#server/core/cli/command.ts'
import { feedUrls } from '#server/features/news/defaultFeeds.ts'
import type { Feed } from '#server/features/news/feed/types.ts'
import { type FeedStatus, listFeedStatus } from '#server/features/news/feedStatus.ts'
import { type FetchResult, fetchFeed } from '#server/features/news/fetchFeed.ts'
import { forEachByHost, queueForHost } from '#server/features/news/hostQueue.ts'

const USAGE = `npm run feeds -- check [URL...]     asks each feed now, those of the settings without URLs, and stores nothing
npm run feeds -- list               how asking each feed went so far`

const HOSTS = 4
const TITLES = 3
const formats: Record<Feed['format'], string> = { rss: 'RSS', rdf: 'RDF', atom: 'Atom', json: 'JSON Feed' }

runCommand(USAGE, async (services, [action, ...urls]) => {
  if (action === 'list' && urls.length === 0) return list(services)
  if (action !== 'check') throw usageError()
  const wrong = urls.find((url) => !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
  if (wrong !== undefined) throw new Error(`${clean(wrong)} is no http or https address`)
  return check(services, urls.length > 0 ? [...new Set(urls)] : feedUrls(services.config))
})

async function list(services: CommandServices): Promise<void> {
  const known = await listFeedStatus(services)
  const unasked = feedUrls(services.config).filter((url) => !known.some((feed) => feed.url === url))
  if (known.length + unasked.length === 0) return say('There are no feeds (NEWS_FEEDS is empty)')
  for (const feed of known) sayState(feed)
  for (const url of unasked) say(`${clean(url)}\n  not asked yet`)
}

function sayState({ url, checkedAt, nextAt, failures, failure, articles }: FeedStatus): void {
  say(clean(url))
  say(
    `  ${counted(articles, 'article')}, ${checkedAt ? `last look ${minute(checkedAt)}` : 'not asked yet'}, next ${minute(nextAt)}`,
  )
  if (failures > 0) say(`  ${counted(failures, 'failure')} in a row, the last one: ${clean(failure ?? 'unknown')}`)
}

/** Answers come as they may, and are told in the order of the feeds. Gives 1 when one of them could not be read. */
async function check(services: CommandServices, urls: string[]): Promise<number | undefined> {
  if (urls.length === 0) return void say('There are no feeds (NEWS_FEEDS is empty)')
  const answers = new Map<string, FetchResult>()
  let told = 0
  const hostOf = (url: string) => new URL(url).hostname
  await forEachByHost(urls, hostOf, { hosts: HOSTS, stop: () => false }, async (url) => {
    answers.set(url, await queueForHost(hostOf(url), () => fetchFeed(services, url)))
    for (let next = urls[told]; next !== undefined; next = urls[++told]) {
      const answer = answers.get(next)
      if (!answer) return
      sayAnswer(next, answer)
    }
  })
  const read = [...answers.values()].filter(({ kind }) => kind === 'read').length
  say(`${read} of ${counted(urls.length, 'feed')} could be read`)
  return read < urls.length ? 1 : undefined
}

function sayAnswer(url: string, answer: FetchResult): void {
  say(clean(url))
  if (answer.kind === 'failed') say(`  failed: ${answer.reason}`)
  if (answer.kind !== 'read') return
  const { format, title, items, skipped } = answer.feed
  if (answer.url.href !== new URL(url).href) say(`  found at ${clean(answer.url.href)}`)
  const dates = items.flatMap(({ publishedAt }) => publishedAt?.getTime() ?? [])
  const pictured = items.filter(({ images }) => images.length > 0).length
  say(`  ${formats[format]}, ${title === null ? 'without a title' : `“${clean(title)}”`}`)
  say(
    `  ${[
      counted(items.length, 'entry', 'entries'),
      `${skipped} passed over`,
      dates.length > 0 ? `newest ${minute(new Date(Math.max(...dates)))}` : 'no dates',
      `${pictured} with a picture`,
    ].join(', ')}`,
  )
  for (const item of items.slice(0, TITLES)) say(`  - ${clean(item.title)}`)
}

/** Foreign text could command the terminal. */
const clean = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 200)

const minute = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const say = (line: string) => void process.stdout.write(`${line}\n`)
