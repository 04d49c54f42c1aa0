import type { FeedPage } from '#pages/head.ts'
import { NEWS_PATH } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'

export default (): FeedPage => ({ path: NEWS_PATH, title: t('news.title') })
