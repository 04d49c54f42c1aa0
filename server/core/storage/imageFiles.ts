import { createHash, randomBytes } from 'node:crypto'
import type { FurtherImage, StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { widestNetworkOf } from '#server/core/limits/networks.ts'
import type { ImageHashes, ImageSizes } from '#server/core/media/encodeImage.ts'
import type { ImageFile, UploadedFile } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { publicName } from './fileStore.ts'
import { correctStorageUse } from './storageQuota.ts'

const EXPIRING_ID = /^[0-9a-f]{24}-([0-9a-z]{1,9})$/

export const fileUrl = (name: string) => `/dtpchan/uploads/${name}`

/** Returns the public fields of a stored file. */
export const fileView = ({ name, width, height }: StoredImage['preview']): ImageFile => ({
  url: fileUrl(name),
  width,
  height,
})

export const imageFiles = (image: StoredImage | null): string[] =>
  image ? [image.name, image.preview.name, image.display.name] : []

/** The columns of a post's images. */
export type PostImages = { image: StoredImage | null; moreImages: FurtherImage[] | null }

/** Returns the images of a post in their order. */
export const imagesOf = ({ image, moreImages }: PostImages): StoredImage[] =>
  image ? [image, ...(moreImages ?? [])] : []

export const filesOfPost = (row: PostImages): string[] => imagesOf(row).flatMap(imageFiles)

export const imageIdOf = (fileName: string) => fileName.split('.')[0] ?? ''

/** Returns whether a file, withheld or not, is an image in its full size. */
export const isOriginal = (fileName: string): boolean => /^[^.]+\.[a-z]+$/.test(publicName(fileName) ?? fileName)

/** Creates an image id. It contains the expiry, so that the server can reject expired files without a query. */
export function createImageId(expiresAt?: Date): string {
  const id = randomBytes(12).toString('hex')
  return expiresAt ? `${id}-${expiresAt.getTime().toString(36)}` : id
}

/** Returns the time in ms when a file expires, or null if it never expires. */
export function fileExpiry(fileName: string): number | null {
  const expiry = EXPIRING_ID.exec(imageIdOf(fileName))?.[1]
  return expiry === undefined ? null : Number.parseInt(expiry, 36)
}

/**
 * Stores the files of an image. Call it before inserting the image's row.
 * @param admit decides about the decoded image before anything is stored
 * @throws AppError 413, 415, 503, or the error of `admit`
 */
export async function storeUpload(
  ctx: Context,
  upload: UploadedFile,
  sizes: ImageSizes,
  imageId: string,
  admit: (hashes: ImageHashes) => Promise<void>,
): Promise<StoredImage> {
  if (upload.truncated) throw errors.tooLarge(refusal('image.size'))
  const { files, images } = ctx
  // Imports have no address.
  const network = ctx.address === '' ? undefined : widestNetworkOf(ctx.address)
  const processed = await images.process(upload.bytes, sizes, network)
  await admit(processed.hashes)
  const { preview, display } = processed
  const storedBytes = processed.original.length + preview.bytes.length + display.bytes.length
  const image: StoredImage = {
    name: `${imageId}.${processed.ext}`,
    width: processed.width,
    height: processed.height,
    bytes: processed.original.length,
    storedBytes,
    // Not for security: clients of 4chan's format check downloads with it.
    md5: createHash('md5').update(processed.original).digest('base64'),
    animated: processed.animated,
    preview: { name: `${imageId}.p.${preview.ext}`, width: preview.width, height: preview.height },
    display: { name: `${imageId}.d.${display.ext}`, width: display.width, height: display.height },
  }
  await correctStorageUse(ctx, { kind: 'image', bytes: upload.bytes.length }, storedBytes)
  try {
    await files.put(image.name, processed.original)
    await files.put(image.preview.name, preview.bytes)
    await files.put(image.display.name, display.bytes)
  } catch (error) {
    await files.remove(imageFiles(image))
    throw error
  }
  return image
}
