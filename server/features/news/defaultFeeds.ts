import type { Config } from '#server/core/config/config.ts'

/** Read where the settings name no feeds: technology and security, by people who do their own reporting. */
const CURATED = [
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

/** The addresses of the feeds that are read, each once; none where news are switched off. */
export const feedUrls = ({ news }: Pick<Config, 'news'>): string[] => [...new Set(news.feeds ?? CURATED)]
