import { BANNERS_PATH } from '#src/contract/siteImages.ts'
import type { Banner, SiteImages } from './siteImages.ts'

/** Pages of boards that have banners: board, catalog, archive and threads. */
const BOARD_PAGE = /^\/dtpchan\/board\/([a-z0-9-]{1,40})(?=[/?]|$)/

/** Returns whether the page of a URL belongs to a board that has banners. */
export function hasBanner(images: Pick<SiteImages, 'banners'>, url: string): boolean {
  const [, boardId] = BOARD_PAGE.exec(url) ?? []
  return boardId !== undefined && listBanners(images, boardId).length > 0
}

/** Returns the URL of a random banner, or null if the board has none. */
export function pickBanner(images: Pick<SiteImages, 'banners'>, boardId: string): string | null {
  const banners = listBanners(images, boardId)
  const banner = banners[Math.floor(Math.random() * banners.length)]
  return banner ? bannerUrl(banner) : null
}

export const bannerUrl = ({ hash, type }: Banner): string => `${BANNERS_PATH}/${hash}.${type.slice('image/'.length)}`

const listBanners = ({ banners }: Pick<SiteImages, 'banners'>, boardId: string): Banner[] =>
  banners.filter(({ board }) => board === null || board === boardId)
