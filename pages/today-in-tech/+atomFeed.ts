import { NEWS_FEED_PATH } from '#src/contract/news.ts'
import type { AtomFeed } from '../head.ts'

export default { href: NEWS_FEED_PATH, title: 'Today in Tech' } satisfies AtomFeed
