import { createHash } from 'node:crypto'
import type { Database } from '#db/client.server.ts'
import { article, feed } from '#db/schema/index.ts'
import { publishNewsChange } from '#server/features/news/storeArticles.ts'

type Article = typeof article.$inferInsert
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

let made = 0

/**
 * Inserts articles into the database, publishes the change, and returns the ids. Missing values get defaults; each
 * article is a minute older than the previous article.
 */
export async function addArticles(db: Database, given: Partial<Article>[], now = new Date()): Promise<number[]> {
  const rows = given.map((fields, index) => {
    const number = ++made
    const source = fields.source ?? 'lwn.net'
    const url = fields.url ?? `https://${source}/article/${number}`
    return {
      feedUrl: `https://${source}/feed.xml`,
      guid: hashOf(`${url} ${number}`),
      url,
      urlKey: hashOf(url),
      title: `Article ${number}`,
      source,
      publishedAt: new Date(now.getTime() - (index + 1) * 60_000),
      seenAt: now,
      ...fields,
    }
  })
  const feeds = [...new Set(rows.map(({ feedUrl }) => feedUrl))].map((url) => ({ url, nextAt: now }))
  await db.insert(feed).values(feeds).onConflictDoNothing()
  const ids: number[] = []
  // Inserts in batches, because a statement can have at most 65,535 parameters.
  for (let at = 0; at < rows.length; at += 2000) {
    const written = await db
      .insert(article)
      .values(rows.slice(at, at + 2000))
      .returning({ id: article.id })
    ids.push(...written.map(({ id }) => id))
  }
  await db.transaction((tx) => publishNewsChange(tx, now))
  return ids
}
