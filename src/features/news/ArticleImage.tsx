import { useEffect, useRef, useState } from 'react'
import { type ArticleView, FALLBACK_IMAGE } from '#src/contract/news.ts'
import styles from './ArticleImage.module.css'

type ArticleImageProps = { article: ArticleView; isInView: boolean }

export function ArticleImage({ article, isInView }: ArticleImageProps) {
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
