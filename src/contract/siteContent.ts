import { z } from 'zod'

/** Images of the operator's pages and posts. */
export const SITE_IMAGES_PATH = '/site/images'
export const BLOG_PATH = '/debauched-blog'
export const blogPostPath = (slug: string) => `${BLOG_PATH}/${slug}`

/** A file of the operator's folder that is not used. `name` is its path in the folder. */
export type SiteFileProblem = { name: string; reason: string }

/** A page of the operator, such as `/rules`. */
export type SitePage = { slug: string; title: string; html: string }

export type BlogPost = SitePage & {
  description: string
  publishedAt: Date
  updatedAt: Date
}
export type BlogPostSummary = Omit<BlogPost, 'html'>

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

/** A field of the site file. `value` is null for a hidden or missing part. */
export type SiteValue = { field: string; value: string | null; isDefault: boolean }

/** A shade of the accent. `contrast` is that of text in it on the background `on`; null if it never has text. */
export type AccentShade = { name: string; colour: string; text: { on: string; contrast: number } | null }

/** Sizes are CSS px. */
export type LogoView = { file: string; url: string; width: number; height: number }

export type BannerView = { file: string; url: string }
/** `board` is null for the banners of all boards. `isMissing`: there is no such board. */
export type BoardBanners = { board: string | null; isMissing: boolean; banners: BannerView[] }

/** The values and files in force, from the site file and the operator's folder. */
export type Branding = {
  /** null if there is no site file */
  siteFile: string | null
  /** the operator's folder */
  folder: string
  values: SiteValue[]
  /** `contrast` of marks in the accent on the dark background */
  accent: { colour: string; contrast: number; shades: AccentShade[] }
  logo: LogoView | null
  darkLogo: LogoView | null
  /** whether the logo replaces the site's name, and not only its mark */
  logoHasName: boolean
  /** `file` is null for the mark. */
  icon: { file: string | null; url: string }
  /** file behind the images of link previews */
  background: string | null
  banners: BoardBanners[]
  pages: { title: string; path: string }[]
  /** `isScheduled`: its date has not come */
  posts: { title: string; path: string; publishedAt: Date; isScheduled: boolean }[]
  languages: string[]
  /** files of the folder that are not used */
  problems: SiteFileProblem[]
}

export const siteContentParams = z.object({ slug: z.string().max(100) })
