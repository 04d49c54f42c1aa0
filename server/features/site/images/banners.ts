import { escapeXml } from '#server/core/http/escapeXml.ts'
import { BANNER, BANNER_PATH, BANNERS_PATH, LOGO_PATH } from '#src/contract/siteContent.ts'
import { t } from '#src/i18n/t.ts'
import type { Banner, SiteImages, SiteLogo } from './siteImages.ts'

/** A wider logo is taken to contain the site's name. */
const NAME_RATIO = 2
/** @param length in CSS px */
const toRem = (length: number) => `${Number((length / 16).toFixed(3))}rem`

/** Returns whether a logo replaces the site's name, and not only its mark. */
export const hasName = ({ page: { width, height } }: Pick<SiteLogo, 'page'>): boolean => width / height >= NAME_RATIO

/**
 * Returns a style sheet that shows the logo instead of the mark in `src/features/site/Wordmark.tsx`. In an image element,
 * a logo would need a script to follow the theme, and code on every page. The size is known before the file loads, and
 * screen readers read the name. The selectors are stronger than the component's.
 */
export function writeLogoStyles(logo: SiteLogo, darkLogo: SiteLogo | null): string {
  const { width, height } = logo.page
  const mark = 'a[data-wordmark]::before'
  const rules = [
    'a[data-wordmark] svg{display:none}',
    `${mark}{content:"";flex:none;width:${toRem(width)};height:${toRem(height)};background:url(${urlOf(logo)}) center/contain no-repeat}`,
    // Cuts off the name, which is behind the logo.
    hasName(logo) ? `a[data-wordmark]{width:${toRem(width)};overflow:hidden}` : '',
  ]
  if (darkLogo) {
    const shown = `{background-image:url(${urlOf(darkLogo)})}`
    rules.push(
      `@media(prefers-color-scheme:dark){:root:not([data-theme=light]) ${mark}${shown}}`,
      `:root[data-theme=dark] ${mark}${shown}`,
    )
  }
  return rules.join('')
}

export const urlOf = ({ hash }: Pick<SiteLogo, 'hash'>): string => `${LOGO_PATH}/${hash}.png`

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
