import { type ArticleView, NEWS_PATH } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { HomeSection } from './HomeSection.tsx'
import { ArticleRow } from './Suggestions.tsx'

/** `articles` is null if loading them failed. */
export function LatestNews({ articles }: { articles: ArticleView[] | null }) {
  return (
    <HomeSection id="latest-news" title={t('site.latestNews')} more={{ label: t('site.allNews'), href: NEWS_PATH }}>
      {articles === null ? (
        <Alert>{t('news.failed')}</Alert>
      ) : articles.length === 0 ? (
        <EmptyState hint={t('news.noneHint')}>{t('news.none')}</EmptyState>
      ) : (
        <ol className="ruled link-rows">
          {articles.map((article) => (
            <ArticleRow key={article.id} {...article} />
          ))}
        </ol>
      )}
    </HomeSection>
  )
}
