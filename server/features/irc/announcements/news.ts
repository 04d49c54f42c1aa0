import { and, desc, gt, max, sql } from 'drizzle-orm'
import { article } from '#db/schema/index.ts'
import { cleanAndCut } from '#server/features/irc/cleanText.ts'
import { ircLimits, ircTexts } from '#server/features/irc/texts.ts'
import { NEWS_PATH } from '#src/contract/news.ts'
import type { AnnouncerDeps, OnChange } from './announcer.ts'

/** A feed that was just added has old articles too. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000
const LISTED_TITLES = 3

/** Announces new articles, those of several minutes on one line. */
export function createNewsAnnouncer({ services, announce, schedule, clock, times }: AnnouncerDeps): OnChange {
  const { db, config, now } = services
  let lastId: number | null = null
  let nextAt = 0
  let isWaiting = false
  const readLastId = async () => (await db.select({ id: max(article.id) }).from(article))[0]?.id ?? 0

  async function announceNew(): Promise<void> {
    isWaiting = false
    const isNew = and(gt(article.id, lastId ?? 0), gt(article.publishedAt, new Date(now().getTime() - MAX_AGE_MS)))
    const rows = await db
      .select({
        ...{ id: article.id, title: article.title, source: article.source, url: article.url },
        count: sql<number>`count(*) over ()::int`,
      })
      .from(article)
      .where(isNew)
      .orderBy(desc(article.publishedAt), desc(article.id))
      .limit(LISTED_TITLES)
    lastId = await readLastId()
    const [first] = rows
    if (!first) return
    nextAt = clock() + times.newsInterval
    announce('news', first.count === 1 ? describeArticle(first) : describeArticles(first.count, rows))
  }

  const newsUrl = `${config.siteUrl}${NEWS_PATH}`

  function describeArticle({ title, source, url }: { title: string; source: string; url: string }): string {
    const link = url.length > ircLimits.url ? newsUrl : cleanAndCut(url, ircLimits.url)
    return ircTexts.article(cleanAndCut(title, ircLimits.title), cleanAndCut(source, ircLimits.name), link)
  }

  const describeArticles = (count: number, rows: { title: string }[]) =>
    ircTexts.articles(
      count,
      rows.map(({ title }) => cleanAndCut(title, ircLimits.listed)),
      newsUrl,
    )

  schedule(0, async () => {
    lastId ??= await readLastId()
  })

  return ({ topic }) => {
    if (topic !== 'news' || lastId === null || isWaiting) return
    isWaiting = true
    schedule(Math.max(times.news, nextAt - clock()), announceNew)
  }
}
