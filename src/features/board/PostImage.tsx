import type { ImageView } from '#src/contract/image.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import styles from './PostImage.module.css'
import { SpoilerCover } from './SpoilerCover.tsx'

/** Width of the text column, in CSS px. */
const POST_WIDTH = 680

type PostImageProps = { image: ImageView; spoiler: boolean; postId: number; height: number; eager?: boolean }

export function PostImage({ image, spoiler, postId, height, eager }: PostImageProps) {
  const size = fitInside(image, { width: POST_WIDTH, height })
  const frame = (
    <a className={styles.frame} href={image.url} target="_blank" rel="noopener">
      <img
        src={image.display.url}
        width={size.width}
        height={size.height}
        alt={`Full size of No. ${postId}`}
        loading={eager ? undefined : 'lazy'}
        decoding="async"
      />
    </a>
  )
  return (
    <figure className={styles.figure}>
      {spoiler ? <SpoilerCover postId={postId}>{frame}</SpoilerCover> : frame}
      <figcaption className="data">
        {`${image.width} × ${image.height} · ${fileSize(image.bytes)}`}
        {image.animated && <span className={styles.badge}>{image.url.split('.').pop()?.toUpperCase()}</span>}
      </figcaption>
    </figure>
  )
}

function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
