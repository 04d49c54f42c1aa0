import { feedPath } from '#src/contract/feeds.ts'
import { BLOG_PATH, type BlogPost, type BlogPostSummary, blogPostPath } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import { utcDate } from '#src/lib/formatTime.ts'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.ts'
import styles from './BlogScreen.module.css'
import { Prose } from './Prose.tsx'

export function BlogScreen({ posts }: { posts: BlogPostSummary[] }) {
  const { blogName } = useSite()
  return (
    <div className="wrap">
      <PageHeader title={blogName} action={<FeedLink href={feedPath(BLOG_PATH, 'atom')} />} />
      <ul>
        {posts.map(({ slug, title, description, publishedAt }) => (
          <li key={slug} className={styles.post}>
            <time className="data" dateTime={publishedAt.toISOString()}>
              {utcDate(publishedAt)}
            </time>
            <div>
              <h2 className="h3">
                <a href={blogPostPath(slug)}>{title}</a>
              </h2>
              {description && <p>{description}</p>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

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
