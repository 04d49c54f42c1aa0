import { resolve } from 'node:path'
import type { Services } from '#server/core/context.ts'
import { createBoardCheck } from '#server/features/board/boards/boards.ts'
import { languages } from '#src/contract/languages.ts'
import { defaultSite, type Site } from '#src/contract/site.ts'
import {
  type BoardBanners,
  type Branding,
  blogPostPath,
  type LogoView,
  type SiteValue,
} from '#src/contract/siteContent.ts'
import { describeAccent, hasName, logoUrl } from './brandStyles.ts'
import { SITE_FOLDER } from './content/siteContent.ts'
import { bannerUrl } from './images/banners.ts'
import { type Banner, iconsQuery, MARK_NAME, type SiteImages, type SiteLogo } from './images/siteImages.ts'

/** Admins look at the files that they have just changed. */
const WAIT_MS = 10_000

type Reader = Pick<Services, 'config' | 'site' | 'knownBoards' | 'siteContent' | 'siteImages' | 'now'>

/** Reads the site file and the operator's folder for admins. */
export async function readBranding(ctx: Reader): Promise<Branding> {
  const { config, site } = ctx
  const [content, images] = await Promise.all([ctx.siteContent(), ctx.siteImages({ waitMs: WAIT_MS })])
  const time = ctx.now()
  return {
    siteFile: config.siteFile ?? null,
    folder: resolve(config.dataDir, SITE_FOLDER),
    values: listValues(site),
    accent: describeAccent(site.accent),
    logo: images.logo && viewLogo(images.logo),
    darkLogo: images.darkLogo && viewLogo(images.darkLogo),
    logoHasName: images.logo !== null && hasName(images.logo),
    icon: { file: nameOfIcon(images), url: `/icon-192.png${iconsQuery(images.icons)}` },
    background: images.background?.name ?? null,
    banners: await groupBanners(ctx, images.banners),
    pages: content.pages.map(({ slug, title }) => ({ title, path: `/${slug}` })),
    posts: content.posts.map(({ slug, title, publishedAt }) => ({
      ...{ title, publishedAt, path: blogPostPath(slug) },
      isScheduled: publishedAt > time,
    })),
    languages: [...languages],
    problems: [...images.problems, ...content.problems],
  }
}

const nameOfIcon = ({ icons }: Pick<SiteImages, 'icons'>): string | null =>
  icons === null || icons.name === MARK_NAME ? null : icons.name

const viewLogo = (logo: SiteLogo): LogoView => ({
  file: logo.name,
  url: logoUrl(logo),
  width: logo.page.width,
  height: logo.page.height,
})

/** Lists the fields of the site file, such as `irc.host`. */
function listValues(site: Site): SiteValue[] {
  const defaults = new Map(flatten(defaultSite))
  return flatten(site)
    .filter(([field]) => field !== '$schema')
    .map(([field, value]) => ({ field, value, isDefault: defaults.get(field) === value }))
}

function flatten(value: unknown, path: string[] = []): [field: string, value: string | null][] {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value === null ? null : String(value)]]
  if (Array.isArray(value)) return [[path.join('.'), value.map(writeItem).join('\n') || null]]
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, [...path, key]))
}

const writeItem = (item: unknown): string =>
  typeof item === 'object' && item !== null ? Object.values(item).join(': ') : String(item)

async function groupBanners({ knownBoards }: Reader, banners: Banner[]): Promise<BoardBanners[]> {
  const isBoard = await createBoardCheck(knownBoards)
  return [...new Set(banners.map(({ board }) => board))].map((board) => ({
    board,
    isMissing: board !== null && !isBoard(board),
    banners: banners
      .filter((banner) => banner.board === board)
      .map((banner) => ({ file: banner.file.name, url: bannerUrl(banner) })),
  }))
}
