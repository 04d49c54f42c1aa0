import type { SiteFileProblem } from './siteContent.ts'

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
