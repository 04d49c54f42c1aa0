import { randomBytes } from 'node:crypto'
import type { StoredImage } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type Box, processImage } from '#server/core/images.ts'
import { imageHeights } from '#src/contract/board.ts'
import { imageMessages, type UploadedFile } from '#src/contract/image.ts'

/** Widest a picture stands in a post and in a list, in CSS px. */
const POST_WIDTH = 680
const LIST_WIDTH = 320

/** The boxes of the places a picture of such a post is shown in. */
export const placesOf = (place: keyof Omit<typeof imageHeights, 'list'>): { preview: Box; display: Box } => ({
  preview: { width: LIST_WIDTH, height: imageHeights.list },
  display: { width: POST_WIDTH, height: imageHeights[place] },
})

/** Every file of a stored picture. */
export const imageFiles = (image: StoredImage | null): string[] =>
  image ? [image.name, image.preview.name, image.display.name] : []

export type KeptImage = { imageId: string; image: StoredImage }

/**
 * Decodes, cleans and stores an upload; the files stand before the post that owns them is written.
 * @throws AppError 413 or 415
 */
export async function storeImage(
  { files }: Pick<Services, 'files'>,
  upload: UploadedFile,
  place: keyof Omit<typeof imageHeights, 'list'>,
): Promise<KeptImage> {
  if (upload.truncated) throw errors.tooLarge(imageMessages.size)
  const made = await processImage(upload.bytes, placesOf(place))
  const imageId = randomBytes(12).toString('hex')
  const image: StoredImage = {
    name: `${imageId}.${made.ext}`,
    width: made.width,
    height: made.height,
    bytes: made.original.length,
    animated: made.animated,
    preview: { name: `${imageId}.p.webp`, width: made.preview.width, height: made.preview.height },
    display: { name: `${imageId}.d.webp`, width: made.display.width, height: made.display.height },
  }
  try {
    await files.put(image.name, made.original)
    await files.put(image.preview.name, made.preview.bytes)
    await files.put(image.display.name, made.display.bytes)
  } catch (error) {
    await files.remove(imageFiles(image))
    throw error
  }
  return { imageId, image }
}

/** The part of a file's name that says which picture it belongs to. */
export const imageIdOf = (fileName: string) => fileName.split('.')[0] ?? ''
