import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#db/errors.server.ts'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { type SiteFileProblem, siteImageLimits } from '#src/contract/siteContent.ts'

/** A file of the operator. `version` changes with the file. */
export type SiteFile = { name: string; path: string; version: string }
export type SingleUse = 'logo' | 'darkLogo' | 'favicon' | 'background'
export type FoundFiles = {
  singles: Partial<Record<SingleUse, SiteFile>>
  /** `board` is null for the banners of all boards */
  banners: { board: string | null; file: SiteFile }[]
  problems: SiteFileProblem[]
}

/** The first file that exists is used. */
const NAMES: Record<SingleUse, string[]> = {
  logo: ['logo.svg', 'logo.png'],
  darkLogo: ['logo-dark.svg', 'logo-dark.png'],
  favicon: ['favicon.svg', 'favicon.png'],
  background: ['preview.png', 'preview.jpg'],
}
const BANNERS = 'banners'
const FOLDERS = ['pages', 'blog', 'images', BANNERS]
const IGNORED = /^\.|^README/i
const BOARD_ID = /^[a-z0-9-]{1,40}$/
/** Guards against a folder that was put there by mistake. */
const MAX_PROBLEMS = 100

/** Lists the images of the operator's folder without reading them. */
export async function findFiles(dir: string): Promise<FoundFiles> {
  const found: FoundFiles = { singles: {}, banners: [], problems: [] }
  const names = await list(dir)
  for (const [use, candidates] of Object.entries(NAMES) as [SingleUse, string[]][]) {
    const [used, ...others] = candidates.filter((name) => names.includes(name))
    if (used) {
      await add(used, siteImageLimits.bytes, (file) => {
        found.singles[use] = file
      })
    }
    for (const name of others) found.problems.push({ name, reason: `${used} is used instead` })
  }
  const known = [...FOLDERS, ...Object.values(NAMES).flat()]
  for (const name of names.filter((name) => !known.includes(name))) {
    found.problems.push({ name, reason: 'no file of this name is used. See docs/branding.md' })
  }
  for (const name of (await listInside(BANNERS)) ?? []) {
    const inside = await listInside(`${BANNERS}/${name}`)
    if (!inside) continue
    if (inside.length === 0) await addBanner(null, `${BANNERS}/${name}`)
    else if (BOARD_ID.test(name)) for (const file of inside) await addBanner(name, `${BANNERS}/${name}/${file}`)
    else
      found.problems.push({ name: `${BANNERS}/${name}`, reason: 'the folder must have the id of a board as its name' })
  }
  return { ...found, problems: found.problems.slice(0, MAX_PROBLEMS) }

  /** Returns null for an entry that cannot be read, so that the others are still used. */
  function addProblem(name: string, { message }: Error): null {
    found.problems.push({ name, reason: message })
    return null
  }

  function listInside(name: string): Promise<string[] | null> {
    return list(join(dir, name)).catch((error) => addProblem(name, error))
  }

  async function addBanner(board: string | null, name: string): Promise<void> {
    const { banners, bannerBytes } = siteImageLimits
    if (found.banners.length < banners) await add(name, bannerBytes, (file) => found.banners.push({ board, file }))
    else found.problems.push({ name, reason: `only the first ${banners} banners are used` })
  }

  async function add(name: string, maxBytes: number, use: (file: SiteFile) => void): Promise<void> {
    const path = join(dir, name)
    const stats = await stat(path)
      .catch(nullIfMissing)
      .catch((error) => addProblem(name, error))
    if (!stats?.isFile()) return
    if (stats.size <= maxBytes) return use({ name, path, version: versionOf(stats) })
    found.problems.push({
      name,
      reason: `it has ${toKilobytes(stats.size)}. At most ${toKilobytes(maxBytes)} are allowed`,
    })
  }
}

/** Changes with the content, and with the right to read it. */
export const versionOf = ({ size, mtimeMs, ctimeMs }: Stats): string => `${size} ${mtimeMs} ${ctimeMs}`

const toKilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} kB`

/** Returns nothing for a path that is missing or no folder. */
async function list(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error) => {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return []
    throw error
  })
  return names.filter((name) => !IGNORED.test(name)).sort()
}
