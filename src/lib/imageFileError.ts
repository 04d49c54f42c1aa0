import { IMAGE_TYPES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_STILL_PIXELS } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'

/** Returns the error message if the server would reject an image file, else null. */
export async function findImageFileError(file: File): Promise<string | null> {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return t('image.type')
  if (file.size > MAX_IMAGE_BYTES) return t('image.size')
  const size = await readSize(file)
  if (!size) return t('image.type')
  const { width, height } = size
  const isTooLarge = Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_STILL_PIXELS
  return isTooLarge ? t('image.pixels') : null
}

/** Reads width and height without decoding the pixels. */
async function readSize(file: File): Promise<{ width: number; height: number } | null> {
  const image = new Image()
  const url = URL.createObjectURL(file)
  try {
    return await new Promise((resolve) => {
      image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight })
      image.onerror = () => resolve(null)
      image.src = url
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
