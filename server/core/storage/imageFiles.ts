import { randomBytes } from 'node:crypto'
import type { StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { DisplaySizes } from '#server/core/media/imageProcessor.ts'
import { imageMessages, type UploadedFile } from '#src/contract/image.ts'
import { correctStorageUse } from './storageQuota.ts'

const FOLDER = '/dtpchan/uploads/'
const EXPIRING = /^[0-9a-f]{24}-([0-9a-z]{1,9})$/

/** Address of a stored file on this site. */
export const fileUrl = (name: string) => `${FOLDER}${name}`

/** Every file of a stored picture. */
export const imageFiles = (image: StoredImage | null): string[] =>
  image ? [image.name, image.preview.name, image.display.name] : []

/** The part of a file's name that says which picture it belongs to. */
export const imageIdOf = (fileName: string) => fileName.split('.')[0] ?? ''

/**
 * A stem for files, never used before. With an expiry it says when they are gone: serving one asks no database, and
 * none outlives its time however late it is deleted.
 */
export function createImageId(expiresAt?: Date): string {
  const id = randomBytes(12).toString('hex')
  return expiresAt ? `${id}-${expiresAt.getTime().toString(36)}` : id
}

/** Instant in milliseconds from which on a file is gone; null for one that lasts. */
export function fileExpiry(fileName: string): number | null {
  const expiry = EXPIRING.exec(imageIdOf(fileName))?.[1]
  return expiry === undefined ? null : Number.parseInt(expiry, 36)
}

/**
 * Decodes, cleans and stores an upload; the files stand before the row that owns them is written.
 * @param imageId stem of the files' names, a new one
 * @throws AppError 413, 415 or 503
 */
export async function storeUpload(
  ctx: Context,
  upload: UploadedFile,
  places: DisplaySizes,
  imageId: string,
): Promise<StoredImage> {
  if (upload.truncated) throw errors.tooLarge(imageMessages.size)
  const { files, images } = ctx
  const made = await images.process(upload.bytes, places)
  const { preview, display } = made
  const storedBytes = made.original.length + preview.bytes.length + display.bytes.length
  const image: StoredImage = {
    name: `${imageId}.${made.ext}`,
    width: made.width,
    height: made.height,
    bytes: made.original.length,
    storedBytes,
    animated: made.animated,
    preview: { name: `${imageId}.p.${preview.ext}`, width: preview.width, height: preview.height },
    display: { name: `${imageId}.d.${display.ext}`, width: display.width, height: display.height },
  }
  await correctStorageUse(ctx, { kind: 'image', bytes: upload.bytes.length }, storedBytes)
  try {
    await files.put(image.name, made.original)
    await files.put(image.preview.name, preview.bytes)
    await files.put(image.display.name, display.bytes)
  } catch (error) {
    await files.remove(imageFiles(image))
    throw error
  }
  return image
}
