import { escapeXml } from '#server/core/http/escapeXml.ts'
import { BANNER, BANNER_PATH, BANNERS_PATH } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import type { Banner, SiteImages } from './siteImages.ts'

/**
 * Returns the HTML of a banner for a page of a board, or null if the board has no banners. Pages are the same for everyone
 * and cached, so their banner is a URL that redirects to a random one. Each page has its own URL, because a browser loads
 * the image of a URL once while it moves between pages.
 */
export function writeBanner(images: Pick<SiteImages, 'banners'>, boardId: string, page: string): string | null {
  if (listBanners(images, boardId).length === 0) return null
  const url = `${BANNER_PATH}?${new URLSearchParams({ board: boardId, page })}`
  const alt = t('branding.bannerAlt', { board: boardId })
  return `<img src="${escapeXml(url)}" alt="${escapeXml(alt)}" width="${BANNER.width}" height="${BANNER.height}" loading="lazy">`
}

/** The place keeps its size, so that the page does not move when the banner loads. */
export const BANNER_STYLES = `.banner img{width:${BANNER.width}px;height:${BANNER.height}px;margin:var(--s5) auto 0;object-fit:contain}@media print{.banner{display:none}}`

/** Returns the URL of a random banner, or null if the board has none. */
export function pickBanner(images: Pick<SiteImages, 'banners'>, boardId: string): string | null {
  const banners = listBanners(images, boardId)
  const banner = banners[Math.floor(Math.random() * banners.length)]
  return banner ? bannerUrl(banner) : null
}

export const bannerUrl = ({ hash, type }: Banner): string => `${BANNERS_PATH}/${hash}.${type.slice('image/'.length)}`

const listBanners = ({ banners }: Pick<SiteImages, 'banners'>, boardId: string): Banner[] =>
  banners.filter(({ board }) => board === null || board === boardId)
