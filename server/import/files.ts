import { imageTypeOf } from '#src/contract/image.ts'
import type { ImportedImage } from './types.ts'
import { isFileName } from './values.ts'

/**
 * Finds the files of a post where boards keep them: `{board}/{name}`, `{board}/src/{name}`, or all in one folder.
 * @param folder null if the operator has no files
 * @param at URL of the old site, for files that are not in the folder
 */
export const locateImages = (folder: string | null, board: string, names: string[], at?: URL): ImportedImage[] =>
  names.map((name) => {
    const location = at ? new URL(`${encodeURIComponent(board)}/src/${encodeURIComponent(name)}`, at) : (folder ?? '')
    return { name: `${board}/${name}`, location }
  })

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
