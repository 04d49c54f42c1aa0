import type { AtomFeed } from '#pages/head.ts'
import { NEWS_FEED_PATH } from '#src/contract/news.ts'

export default { href: NEWS_FEED_PATH, title: 'Today in Tech' } satisfies AtomFeed
