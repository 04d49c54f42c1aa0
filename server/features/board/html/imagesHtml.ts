import { escapeHtml } from '#server/core/http/escapeXml.ts'
import { POST_WIDTH, type PostKind } from '#server/features/board/write/images.ts'
import { imageHeights, type PostView, picturesOf } from '#src/contract/post.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'

/** Maximum size of an image beside others, in CSS px. */
const SMALL = { width: 210, height: 180 }

/** Renders the images of a post: one in the size for its kind of post, several as a row of thumbnails. */
export function imagesHtml(post: Pick<PostView, 'id' | 'picture' | 'pictures' | 'spoiler'>, kind: PostKind): string {
  const { id, spoiler } = post
  const images = picturesOf(post)
  const isGroup = images.length > 1
  const figures = images.map((image, index) => {
    const number = t('ui.postNumber', { id })
    const name = isGroup ? t('board.imageOfPost', { id, index: index + 1, count: images.length }) : number
    const shown = isGroup ? image.preview : image.display
    const { width, height } = fitInside(shown, isGroup ? SMALL : { width: POST_WIDTH, height: imageHeights[kind] })
    // The opening post is on the first screen.
    const loading = kind === 'thread' ? '' : ' loading=lazy'
    const frame = `<a class=frame href="${image.url}" data-size=${image.width}x${image.height} target=_blank rel=noopener><img src="${shown.url}" width=${width} height=${height} alt="${escapeHtml(t('board.fullSize', { name }))}"${loading} decoding=async></a>`
    const badge = image.animated ? ` <span class=badge>${image.url.split('.').pop()?.toUpperCase()}</span>` : ''
    const caption = `${image.width} × ${image.height} · ${fileSize(image.bytes)}${badge}`
    return `<figure class=image>${spoiler ? coverHtml(frame, name) : frame}<figcaption class=data>${caption}</figcaption></figure>`
  })
  return isGroup ? `<div class=images>${figures.join('')}</div>` : figures.join('')
}

/** Covers an image until the reader uncovers it. A checkbox does this without scripts. */
export const coverHtml = (frame: string, name: string) =>
  `<div class=cover>${frame}<span class=lid><input type=checkbox class=covering autocomplete=off aria-label="${escapeHtml(t('board.showSpoiler', { name }))}"><span aria-hidden=true>${escapeHtml(t('board.spoiler'))}</span></span></div>`

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${formatNumber(bytes / 1024 / 1024, ONE_DIGIT)} MB`
}
