import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { isReservedId } from '#server/features/board/ids.ts'
import type { BlogPost, SiteFileProblem, SitePage } from '#src/contract/siteContent.ts'
import { followFolder } from './followFolder.ts'
import type { Document } from './markdown.ts'

export type SiteContent = {
  pages: SitePage[]
  /** newest first */
  posts: BlogPost[]
  /** files that are not shown, and why */
  problems: SiteFileProblem[]
}

/** The operator's folder in DATA_DIR. */
export const SITE_FOLDER = 'site'

const MAX_FILES = 1000
const MAX_BYTES = 1024 * 1024
const MAX_DESCRIPTION = 300
/** A name that can be part of a URL. A date at its start is the day of a post. */
const FILE_NAME = /^(?:(\d{4}-\d{2}-\d{2})-)?([a-z0-9][a-z0-9-]{0,79})\.md$/

type File = { name: string; path: string; slug: string; day: string | null; version: string; modifiedAt: Date }

declare module '#server/core/context.ts' {
  interface Services {
    siteContent: () => Promise<SiteContent>
  }
}

/** Reads the operator's Markdown files below a folder: `pages/*.md` and `blog/*.md`. Follows changes of the files. */
export function createSiteContent({
  dir,
  log,
  now,
}: {
  dir: string
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
}): () => Promise<SiteContent> {
  let content: SiteContent = { pages: [], posts: [], problems: [] }
  let versions: string | null = null
  const follow = followFolder(refresh, { log, now })

  async function refresh(): Promise<void> {
    const [pages, posts] = await Promise.all([listFiles(dir, 'pages'), listFiles(dir, 'blog')])
    const found = JSON.stringify([pages, posts])
    if (found === versions) return
    const problems = [...pages.problems, ...posts.problems]
    content = {
      pages: await readAll(pages.files, toSitePage, problems),
      posts: (await readAll(posts.files, toPost, problems)).sort(
        (a, b) => b.publishedAt.getTime() - a.publishedAt.getTime(),
      ),
      problems,
    }
    versions = found
  }

  /** Skips files that cannot be read, so that a mistake in one does not hide the others. */
  async function readAll<T>(
    files: File[],
    convert: (file: File, document: Document) => T | null,
    problems: SiteFileProblem[],
  ): Promise<T[]> {
    const items: T[] = []
    const names = new Map<string, string>()
    // One after the other: problems keep the order of the files.
    for (const file of files) {
      try {
        // Most sites have no such files.
        const { parseDocument } = await import('./markdown.ts')
        const bytes = await readFile(file.path)
        if (!isUtf8(bytes)) throw new Error('the text is not in UTF-8')
        const item = convert(file, parseDocument(bytes.toString()))
        if (item === null) continue
        if (names.has(file.slug)) throw new Error(`${names.get(file.slug)} has the same URL`)
        names.set(file.slug, file.name)
        items.push(item)
      } catch (error) {
        const reason = (error as Error).message
        log.warn({ file: basename(file.path), reason }, 'cannot read a file of the site folder')
        problems.push({ name: file.name, reason })
      }
    }
    return items
  }

  return async () => {
    await follow()
    return content
  }
}

/** Returns the error of a file or folder, so that it does not hide the others. */
const toError = (error: Error): Error => error

async function listFiles(dir: string, folder: string): Promise<{ files: File[]; problems: SiteFileProblem[] }> {
  const found = await readdir(join(dir, folder)).catch(nullIfMissing).catch(toError)
  if (found instanceof Error) return { files: [], problems: [{ name: folder, reason: found.message }] }
  const names = (found ?? []).filter((name) => !name.startsWith('.'))
  const entries = await Promise.all(names.sort().map((name, index) => inspectFile(dir, `${folder}/${name}`, index)))
  return {
    files: entries.filter((entry) => 'slug' in entry),
    problems: entries.filter((entry) => 'reason' in entry),
  }
}

async function inspectFile(dir: string, name: string, index: number): Promise<File | SiteFileProblem> {
  if (index >= MAX_FILES) return { name, reason: `only the first ${MAX_FILES} files are read` }
  const [, day = null, slug] = FILE_NAME.exec(basename(name)) ?? []
  if (!slug)
    return { name, reason: 'the name must consist of lower-case letters, digits and hyphens, and end with .md' }
  const path = join(dir, name)
  const stats = await stat(path).catch(nullIfMissing).catch(toError)
  if (stats instanceof Error) return { name, reason: stats.message }
  if (!stats?.isFile()) return { name, reason: 'this is not a file' }
  if (stats.size > MAX_BYTES) return { name, reason: `it has more than ${MAX_BYTES / 1024} kB` }
  return { name, path, slug, day, version: `${stats.size} ${stats.mtimeMs}`, modifiedAt: stats.mtime }
}

const toPage = ({ slug }: File, { title, html }: Document): SitePage => ({
  slug,
  title: title ?? slug,
  html,
})

/** @throws Error if the site itself uses the name */
function toSitePage(file: File, document: Document): SitePage {
  // Old sites may have a board of the second name.
  if (isReservedId(file.slug) || file.slug === 'radio') throw new Error('the site itself uses this name')
  return toPage(file, document)
}

/** @returns null for a draft. @throws Error if the post has no date, or a wrong field that says when it is shown */
function toPost(file: File, document: Document): BlogPost | null {
  const { fields, text } = document
  // YAML 1.2 reads `yes` as a text, and nothing as null.
  const { draft = false } = fields
  if (typeof draft !== 'boolean') throw new Error('draft must be true or false')
  if (draft) return null
  const publishedAt = toDate(fields.date ?? file.day)
  if (!publishedAt) throw new Error('the post needs a date such as 2026-11-20, in its name or as a field')
  const description = typeof fields.description === 'string' ? fields.description : ''
  return {
    ...toPage(file, document),
    description: (description || firstParagraph(text)).slice(0, MAX_DESCRIPTION),
    publishedAt,
    updatedAt: toDate(fields.updated) ?? (file.modifiedAt > publishedAt ? file.modifiedAt : publishedAt),
  }
}

function toDate(value: unknown): Date | null {
  const date = value instanceof Date ? value : new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

const firstParagraph = (text: string): string =>
  (/^(?![#>!*`-]).+(?:\n.+)*/m.exec(text)?.[0] ?? '')
    .replace(/[*_`[\]]|\(https?:[^)]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
