import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '#db/withTimeout.server.ts'
import { AppError } from '#server/core/errors.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { createMark } from '#server/core/media/mark.ts'
import type { Icons } from '#server/core/media/siteIcons.ts'
import type { Logo } from '#server/core/media/siteImage.ts'
import { followFolder } from '#server/features/site/content/followFolder.ts'
import { DEFAULT_ACCENT } from '#src/contract/site.ts'
import type { SiteFileProblem } from '#src/contract/siteContent.ts'
import { type FoundFiles, findFiles, type SingleUse, type SiteFile } from './findFiles.ts'

/** `hash` is of the source file, so that the URL of its pictures changes with it. */
type Versioned<T> = T & {
  hash: string
  name: string
  /** version of the file that was drawn */
  version: string
}
export type SiteLogo = Versioned<Logo>
export type Banner = { board: string | null; file: SiteFile; hash: string; type: string }

/** The images in force. Null stands for the default. */
export type SiteImages = {
  logo: SiteLogo | null
  /** for dark backgrounds */
  darkLogo: SiteLogo | null
  icons: Versioned<{ files: Icons }> | null
  background: Versioned<{ bytes: Buffer }> | null
  banners: Banner[]
  /** files that are not used, and why */
  problems: SiteFileProblem[]
}

/** Returns the part of the URLs of icons that changes with them. */
export const iconsQuery = (icons: SiteImages['icons']): string => (icons ? `?${icons.hash}` : '')

/** `waitMs` limits how long the caller waits until changed files are drawn. */
export type ReadSiteImages = (options?: { waitMs?: number }) => Promise<SiteImages>

const NO_IMAGES: SiteImages = {
  logo: null,
  darkLogo: null,
  icons: null,
  background: null,
  banners: [],
  problems: [],
}
/** Raise it when a code change alters the drawn images: browsers keep them for a year, by their hash. */
const DRAWING_VERSION = 1
/** Stands for a file in `icons` if the site has none. */
export const MARK_NAME = ''
/** Limits how long a page waits for new images to be drawn. Later pages show them. */
const WAIT_MS = 3000

declare module '#server/core/context.ts' {
  interface Services {
    siteImages: ReadSiteImages
  }
}

type Deps = {
  dir: string
  /** accent colour of the site file: without a favicon, the icons show the mark in it */
  accent: string
  images: Pick<ImageProcessor, 'site'>
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}

/** Reads and draws the operator's images. Follows changes of the files; a file that is refused leaves the default. */
export function createSiteImages({ dir, accent, images, log, now }: Deps): ReadSiteImages {
  let current = NO_IMAGES
  let drawn = new Map<string, { version: string; result: object | null; reason: string | null }>()
  const follow = followFolder(refresh, { log, now })

  async function refresh(): Promise<void> {
    const found = await findFiles(dir)
    const problems = [...found.problems]
    const kept: typeof drawn = new Map()
    const draw: Draw = async (source, convert) => {
      const entry = await drawOnce(source, convert)
      if (!entry) return null
      kept.set(source.name, entry)
      if (entry.reason !== null) problems.push({ name: source.name, reason: entry.reason })
      return entry.result as never
    }
    const singles = await drawSingles(found, draw)
    // Banners can be many, so the others do not wait for them.
    current = { ...current, ...singles, problems }
    const banners: Banner[] = []
    for (const { board, file } of found.banners) {
      const banner = await draw(toSource(file), (bytes) => images.site(bytes, 'banner'))
      if (!banner) continue
      const { hash, format, version } = banner
      // The file may have a newer version, which has not been checked yet.
      banners.push({ board, file: { ...file, version }, hash, type: `image/${format}` })
    }
    current = { ...current, banners }
    drawn = kept
  }

  /** Draws each version of a file once. @returns an older version, or null, if the site is busy: it is drawn later */
  async function drawOnce({ name, version, read }: Source, convert: (bytes: Buffer) => Promise<object>) {
    const known = drawn.get(name)
    if (known?.version === version) return known
    try {
      const bytes = await read()
      return { version, result: { ...(await convert(bytes)), name, version, hash: hashOf(bytes) }, reason: null }
    } catch (error) {
      if (error instanceof AppError) return known
      const reason = (error as Error).message
      log.warn({ file: name, reason }, 'cannot use a file of the site folder')
      return { version, result: null, reason }
    }
  }

  async function drawSingles({ singles }: FoundFiles, draw: Draw): Promise<Omit<SiteImages, 'banners' | 'problems'>> {
    const drawSingle = async <T extends object>(use: SingleUse, convert: (bytes: Buffer) => Promise<T>) =>
      singles[use] ? draw(toSource(singles[use]), convert) : null
    const drawLogo = (bytes: Buffer) => images.site(bytes, 'logo')
    const drawIcons = async (bytes: Buffer) => ({ files: await images.site(bytes, 'icons') })
    const hasMark = accent.toLowerCase() !== DEFAULT_ACCENT
    return {
      logo: await drawSingle('logo', drawLogo),
      darkLogo: await drawSingle('darkLogo', drawLogo),
      icons:
        (await drawSingle('favicon', drawIcons)) ?? (hasMark ? await draw(createMarkSource(accent), drawIcons) : null),
      background: await drawSingle('background', async (bytes) => ({ bytes: await images.site(bytes, 'background') })),
    }
  }

  let isSlow = false
  return async ({ waitMs } = {}) => {
    const reading = follow().then(() => {
      isSlow = false
    })
    // After one page has waited in vain, the others do not wait for the same files.
    const limit = waitMs ?? (isSlow ? 0 : WAIT_MS)
    if (limit > 0) {
      await withTimeout(reading, limit).catch(() => {
        isSlow = true
      })
    }
    return current
  }
}

type Source = { name: string; version: string; read: () => Promise<Buffer> }
type Draw = <T extends object>(source: Source, convert: (bytes: Buffer) => Promise<T>) => Promise<Versioned<T> | null>

const toSource = ({ name, version, path }: SiteFile): Source => ({ name, version, read: () => readFile(path) })

const createMarkSource = (accent: string): Source => ({
  name: MARK_NAME,
  version: accent,
  read: async () => Buffer.from(createMark(accent)),
})

const hashOf = (bytes: Buffer): string =>
  createHash('sha256').update(`${DRAWING_VERSION} `).update(bytes).digest('base64url').slice(0, 16)
