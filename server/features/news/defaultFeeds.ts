import type { Config } from '#server/core/config/config.ts'

/** Technology and security sites with original reporting. Used if NEWS_FEEDS is not set. */
const DEFAULT_FEEDS = [
  'https://lwn.net/headlines/rss',
  'https://feeds.arstechnica.com/arstechnica/index',
  'https://www.theregister.com/headlines.atom',
  'https://www.theverge.com/rss/index.xml',
  'https://www.wired.com/feed/rss',
  'https://techcrunch.com/feed/',
  'https://www.404media.co/rss/',
  'https://www.phoronix.com/rss.php',
  'https://hackaday.com/blog/feed/',
  'https://www.eff.org/rss/updates.xml',
  'https://blog.cloudflare.com/rss/',
  'https://krebsonsecurity.com/feed/',
  'https://www.schneier.com/feed/atom/',
  'https://www.bleepingcomputer.com/feed/',
  'https://feeds.feedburner.com/TheHackersNews',
]

export const feedUrls = ({ news }: Pick<Config, 'news'>): string[] => [...new Set(news.feeds ?? DEFAULT_FEEDS)]
