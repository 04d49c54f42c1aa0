import { BLOG_PATH, type BlogPost } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import { utcDate } from '#src/lib/formatTime.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Prose } from '#src/ui/Prose.tsx'
import { useSite } from '#src/ui/site.tsx'

export function BlogPostScreen({ post: { title, html, publishedAt } }: { post: BlogPost }) {
  const { blogName } = useSite()
  return (
    <article className="wrap">
      <PageHeader
        trail={[{ label: blogName, href: BLOG_PATH }, { label: t('site.blogPost') }]}
        title={title}
        lead={<time dateTime={publishedAt.toISOString()}>{utcDate(publishedAt)}</time>}
      />
      <Prose html={html} />
    </article>
  )
}
