import { opendir } from 'node:fs/promises'
import { readHtml } from '#server/features/news/feed/content/readHtml.ts'
import { ImportError, type ImportedImage } from '#server/import/types.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import { isFileName } from './values.ts'

/**
 * Finds the files of a post where boards keep them: `{board}/{name}`, `{board}/src/{name}`, or all in one folder.
 * @param folder null if the operator has no files
 * @param at URL of the old site, for files that are not in the folder
 */
export const locateImages = (
  folder: string | null,
  board: string,
  files: Pick<SourceFile, 'name'>[],
  at?: URL,
): ImportedImage[] =>
  files.map(({ name }) => ({
    name: `${board}/${name}`,
    location: at ? new URL(`${encodeURIComponent(board)}/src/${encodeURIComponent(name)}`, at) : folder,
  }))

/** `name` in the source's folders, and the name that its poster gave it */
export type SourceFile = { name: string; shown: string }

/** Separates images from files that this site does not store. Returns the shown names of these. */
export function sortFiles<File extends SourceFile>(files: File[]): { images: File[]; others: string[] } {
  const isImage = ({ name }: File) =>
    isFileName(name) && (imageTypeOf(name.toLowerCase()) !== undefined || /\.(?:jpeg|jpe|jfif)$/i.test(name))
  return {
    images: files.filter(isImage),
    others: files.filter((file) => !isImage(file)).map(({ name, shown }) => shown || name),
  }
}

/** Attributes with the URL of a video, by the element of a player. */
const ATTRIBUTES = new Map([
  ['a', 'href'],
  ['iframe', 'src'],
  ['embed', 'src'],
  ['video', 'src'],
  ['source', 'src'],
])
const YOUTUBE_PLAYER = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/([\w-]+).*$/i

/** Finds the URL of a video in vichan's field `embed`, which contains the URL, or the HTML of a player. */
export function findVideoUrl(embed: string): string | null {
  if (!embed.trim().startsWith('<')) return toWebUrl(embed)
  let found: string | null = null
  readHtml(embed, {
    tag: ({ name, attributes, closing }) => {
      if (!closing) found = toWebUrl(attributes.get(ATTRIBUTES.get(name) ?? '') ?? '')
      return found === null
    },
  })
  return found
}

/** @param text a URL, perhaps without its scheme */
function toWebUrl(text: string): string | null {
  const url = text.trim().replace(/^\/\//, 'https://')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  return new URL(url).href.replace(YOUTUBE_PLAYER, 'https://www.youtube.com/watch?v=$1')
}

/** Node's codes of errors that a wrong path or a damaged file causes. */
const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read, because its permissions forbid it',
  EPERM: 'cannot be read, because its permissions forbid it',
  Z_BUF_ERROR: 'is incomplete: its compressed data ends too early',
  Z_DATA_ERROR: 'is damaged, or is not compressed with gzip',
}

/**
 * Returns an error with a plain message if a path of the source cannot be read, or the error as it is.
 * @param path if the error does not have it
 */
export function explainReadError(error: unknown, path?: string): unknown {
  const { code = '', path: ownPath, syscall } = error as NodeJS.ErrnoException
  const subject = path ?? ownPath
  // A file can also be missing because a part of its path is no folder.
  const reason = REASONS[code === 'ENOTDIR' && syscall === 'open' ? 'ENOENT' : code]
  return reason === undefined || subject === undefined ? error : new ImportError(`Cannot import: ${subject} ${reason}`)
}

/** @throws ImportError if the folder with the images cannot be read: all posts would be imported without them */
export async function requireFilesFolder(folder: string): Promise<void> {
  try {
    await (await opendir(folder)).close()
  } catch (error) {
    throw explainReadError(error, `the folder ${folder} of --files`)
  }
}
