import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import type { BlogPost, SitePage } from '#src/contract/siteContent.ts'
import { type Document, parseDocument, renderMarkdown } from './markdown.ts'

export type SiteContent = { pages: SitePage[] /** newest first */; posts: BlogPost[] }

/** The operator's folder in DATA_DIR. */
export const SITE_FOLDER = 'site'

/** Limits the time between two looks at the folder. */
const REFRESH_MS = 5000
const MAX_FILES = 1000
const MAX_BYTES = 1024 * 1024
const MAX_DESCRIPTION = 300
/** A name that can be part of a URL. A date at its start is the day of a post. */
const FILE_NAME = /^(?:(\d{4}-\d{2}-\d{2})-)?([a-z0-9][a-z0-9-]{0,79})\.md$/

type File = { path: string; slug: string; day: string | null; version: string; modifiedAt: Date }

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
  let content: SiteContent = { pages: [], posts: [] }
  let versions: string | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function refresh(): Promise<void> {
    const [pages, posts] = await Promise.all([listFiles(join(dir, 'pages')), listFiles(join(dir, 'blog'))])
    const found = [...pages, ...posts].map(({ path, version }) => `${path} ${version}`).join('\n')
    if (found === versions) return
    content = {
      pages: await readAll(pages, toPage),
      posts: (await readAll(posts, toPost)).sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()),
    }
    versions = found
  }

  /** Skips files that cannot be read, so that a mistake in one does not hide the others. */
  async function readAll<T>(files: File[], convert: (file: File, document: Document) => T | null): Promise<T[]> {
    const items = await Promise.all(
      files.map(async (file) => {
        try {
          return convert(file, parseDocument(await readFile(file.path, 'utf8')))
        } catch (error) {
          log.warn(
            { file: basename(file.path), reason: (error as Error).message },
            'cannot read a file of the site folder',
          )
          return null
        }
      }),
    )
    return items.filter((item) => item !== null)
  }

  return async () => {
    const time = now().getTime()
    if (Math.abs(time - readAt) >= REFRESH_MS) {
      reading ??= refresh()
        .catch((error) => log.warn({ reason: error.message }, 'cannot read the site folder'))
        .finally(() => {
          reading = null
          readAt = time
        })
      await reading
    }
    return content
  }
}

async function listFiles(folder: string): Promise<File[]> {
  const names = ((await readdir(folder).catch(nullIfMissing)) ?? []).sort().slice(0, MAX_FILES)
  const files = await Promise.all(
    names.map(async (name): Promise<File | null> => {
      const [, day = null, slug] = FILE_NAME.exec(name) ?? []
      const path = join(folder, name)
      const stats = slug ? await stat(path).catch(nullIfMissing) : null
      if (!slug || !stats?.isFile() || stats.size > MAX_BYTES) return null
      return { path, slug, day, version: `${stats.size} ${stats.mtimeMs}`, modifiedAt: stats.mtime }
    }),
  )
  return files.filter((file) => file !== null)
}

const toPage = ({ slug }: File, { title, text }: Document): SitePage => ({
  slug,
  title: title ?? slug,
  html: renderMarkdown(text),
})

/** @returns null for a draft. @throws Error if the post has no date */
function toPost(file: File, document: Document): BlogPost | null {
  const { fields, text } = document
  if (fields.draft === true) return null
  const publishedAt = toDate(fields.date) ?? toDate(file.day)
  if (!publishedAt) throw new Error('the post needs a date, in its name or as a field')
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
