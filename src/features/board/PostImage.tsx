import type { ImageView } from '#src/contract/image.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import styles from './PostImage.module.css'

/** CSS px: the width of the text column. */
const POST_WIDTH = 680

type PostImageProps = { picture: ImageView; postId: number; height: number; eager?: boolean }

export function PostImage({ picture, postId, height, eager }: PostImageProps) {
  const size = fitInside(picture, { width: POST_WIDTH, height })
  return (
    <figure className={styles.figure}>
      <a className={styles.frame} href={picture.url} target="_blank" rel="noopener">
        <img
          src={picture.display.url}
          width={size.width}
          height={size.height}
          alt={`Full size of No. ${postId}`}
          loading={eager ? undefined : 'lazy'}
          decoding="async"
        />
      </a>
      <figcaption className="data">
        {picture.width} × {picture.height} · {fileSize(picture.bytes)}
        {picture.animated && <span className={styles.badge}>{picture.url.split('.').pop()?.toUpperCase()}</span>}
      </figcaption>
    </figure>
  )
}

function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
