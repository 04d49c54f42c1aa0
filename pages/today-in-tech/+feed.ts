import type { FeedPage } from '#pages/head.ts'
import { NEWS_PATH } from '#src/contract/news.ts'

export default { path: NEWS_PATH, title: 'Today in Tech' } satisfies FeedPage
