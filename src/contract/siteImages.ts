/** Images of the operator in `DATA_DIR/site`. */
export const siteImageLimits = {
  /** bytes of a logo, favicon or background */
  bytes: 5 * 1024 * 1024,
  /** bytes of an SVG. Drawing programs write far less, unless the SVG contains photos. */
  vectorBytes: 1024 * 1024,
  /** width and height in pixels of a logo, favicon or background */
  side: 4096,
  banners: 200,
  bannerBytes: 1024 * 1024,
  bannerWidth: 1200,
  bannerHeight: 400,
} as const

/** Size in CSS px of the place for a banner, the classic size of imageboards. */
export const BANNER = { width: 300, height: 100 } as const
/** Largest size of a logo in the top bar, in CSS px. */
export const LOGO = { width: 176, height: 32 } as const

export const LOGO_PATH = '/site/logo'
export const BANNERS_PATH = '/site/banners'
/** Redirects to a random banner of the board in the query. */
export const BANNER_PATH = '/dtpchan/banner'
