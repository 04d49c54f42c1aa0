import { useEffect, useRef, useState } from 'react'
import { type ArticleView, FALLBACK_IMAGE } from '#src/contract/news.ts'
import { t } from '#src/i18n/t.ts'
import { utcDateTime } from '#src/lib/formatTime.ts'
import { cx } from '#src/ui/cx.ts'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './ArticleCard.module.css'
import { newsPath } from './newsPath.ts'

type ArticleCardProps = { article: ArticleView; isLead: boolean; isInView: boolean }

export function ArticleCard({ article, isLead, isInView }: ArticleCardProps) {
  const { id, title, url, source, sourceTitle, publishedAt } = article
  const titleId = `article-${id}`
  return (
    <article className={cx('panel', styles.card, isLead && styles.lead)} aria-labelledby={titleId}>
      <ArticleImage article={article} isInView={isInView} />
      <div className={styles.body}>
        <h3 className={cx('clamp', styles.title)} title={title}>
          <a className={cx('stretched', styles.link)} href={url} target="_blank" rel="noopener">
            <span id={titleId}>{title}</span>
            <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
          </a>
        </h3>
        <footer className={styles.foot}>
          <span className={styles.source}>
            <Tag href={newsPath({ source, page: 1 })}>
              <span className="ellipsis">{sourceTitle}</span>
            </Tag>
          </span>
          <time className={styles.date} dateTime={publishedAt.toISOString()} title={`${utcDateTime(publishedAt)} UTC`}>
            {utcDateTime(publishedAt)}
          </time>
        </footer>
      </div>
    </article>
  )
}

type ArticleImageProps = { article: ArticleView; isInView: boolean }

function ArticleImage({ article, isInView }: ArticleImageProps) {
  const [failed, setFailed] = useState<string | null>(null)
  const image = useRef<HTMLImageElement>(null)
  const { featuredImage } = article
  const { url, width, height } = featuredImage === failed ? FALLBACK_IMAGE : { ...article, url: featuredImage }

  // Detects an image that failed before hydration, because React misses its error event.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) setFailed(featuredImage)
  }, [featuredImage])

  return (
    <div className={styles.frame}>
      <img
        ref={image}
        className={styles.image}
        src={url}
        width={width}
        height={height}
        alt=""
        loading={isInView ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setFailed(featuredImage)}
      />
    </div>
  )
}
