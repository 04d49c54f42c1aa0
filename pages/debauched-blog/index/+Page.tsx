import { Newspaper } from 'lucide-react'
import { useData } from 'vike-react/useData'
import { NEWS_PATH } from '#src/contract/news.ts'
import { BlogScreen } from '#src/features/site/BlogScreen.tsx'
import { Notice } from '#src/features/site/Notice.tsx'
import { ArticleSuggestions, ThreadSuggestions } from '#src/features/site/Suggestions.tsx'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.ts'
import type { Data } from './+data.ts'

export default function Page() {
  const { posts, articles, threads } = useData<Data>()
  const { blogName } = useSite()
  if (posts.length > 0) return <BlogScreen posts={posts} />
  return (
    <>
      <Notice
        label={t('site.comingSoon')}
        title={blogName}
        hint={t('site.blogSoonHint')}
        action={
          <ButtonLink variant="primary" href={NEWS_PATH}>
            <Newspaper className="icon" />
            {t('news.title')}
          </ButtonLink>
        }
      />
      <ArticleSuggestions articles={articles} />
      <ThreadSuggestions initial={threads} />
    </>
  )
}
