import { type PostView, picturesOf } from '#src/contract/post.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import styles from './PostImages.module.css'
import { SpoilerCover } from './SpoilerCover.tsx'

/** Width of the text column, in CSS px. */
const POST_WIDTH = 680
/** Maximum size of an image beside others, in CSS px. */
const SMALL = { width: 210, height: 180 }

type PostImagesProps = {
  post: Pick<PostView, 'id' | 'picture' | 'pictures' | 'spoiler'>
  /** maximum height of a single image, in CSS px */
  height: number
  eager?: boolean
}

/** Shows the images of a post: one in the size for posts, several as a row of thumbnails. */
export function PostImages({ post, height, eager }: PostImagesProps) {
  const images = picturesOf(post)
  const isGroup = images.length > 1
  const figures = images.map((image, index) => {
    const { id } = post
    const name = isGroup
      ? t('board.imageOfPost', { id, index: index + 1, count: images.length })
      : t('ui.postNumber', { id })
    const shown = isGroup ? image.preview : image.display
    const frame = (
      <a className={styles.frame} href={image.url} target="_blank" rel="noopener">
        <img
          src={shown.url}
          {...fitInside(shown, isGroup ? SMALL : { width: POST_WIDTH, height })}
          alt={t('board.fullSize', { name })}
          loading={eager ? undefined : 'lazy'}
          decoding="async"
        />
      </a>
    )
    return (
      <figure key={image.url} className={styles.figure}>
        {post.spoiler ? <SpoilerCover name={name}>{frame}</SpoilerCover> : frame}
        <figcaption className="data">
          {`${image.width} × ${image.height} · ${fileSize(image.bytes)}`}{' '}
          {image.animated && <span className={styles.badge}>{image.url.split('.').pop()?.toUpperCase()}</span>}
        </figcaption>
      </figure>
    )
  })
  return isGroup ? <div className={styles.group}>{figures}</div> : figures
}

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${formatNumber(bytes / 1024 / 1024, ONE_DIGIT)} MB`
}
