/** Largest upload in bytes: 5 MiB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

export const imageMessages = {
  type: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
  size: 'File size must be less than 5MB',
  pixels: 'Image has too many pixels',
  busy: 'Too many images are being processed. Please try again in a moment.',
} as const

/** One file as it arrived in a form, wholly in memory; `type` is the client's claim and decides nothing. */
export class UploadedFile {
  constructor(
    readonly filename: string,
    readonly type: string,
    readonly bytes: Uint8Array,
    /** it was larger than MAX_IMAGE_BYTES, and `bytes` is only its beginning */
    readonly truncated = false,
  ) {}
}

/** A picture as a page shows it: `width` and `height` are pixels of this very file. */
export type ImageFile = { url: string; width: number; height: number }

/** A stored picture: the full file, and smaller ones for the places it is shown in. */
export type ImageView = ImageFile & {
  /** size of the full file in bytes */
  bytes: number
  animated: boolean
  /** for lists, at most 200 CSS px tall, with pixels for dense screens */
  preview: ImageFile
  /** for the thread page, at the height of its place there (500, 300 or 250 CSS px) */
  display: ImageFile
}
