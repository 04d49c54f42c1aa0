/** Largest upload in bytes: 5 MiB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** Most pixels of a still. */
export const MAX_STILL_PIXELS = 40_000_000
/** Most pixels of an animation, all frames together. */
export const MAX_ANIMATION_PIXELS = 100_000_000
/** Most pixels each way, as in JPEG: millions of rows of one pixel take longer than a square of as many. */
export const MAX_IMAGE_SIDE = 65_535

/** Types a file may be declared as; the server decides by its bytes. */
export const IMAGE_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

const TYPES_BY_ENDING = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
])

/** Media type of a stored picture by the ending of its name or address; undefined for what is none. */
export const imageTypeOf = (name: string): string | undefined => TYPES_BY_ENDING.get(name.split('.').at(-1) ?? '')

export const imageMessages = {
  type: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
  size: 'File size must be less than 5MB',
  required: 'Please select an image to upload',
  pixels: 'Image has too many pixels',
  scans: 'This JPEG has too many scans. Please save it again as an ordinary JPEG.',
  busy: 'Too many images are being processed. Please try again in a moment.',
  tooSlow: 'This image takes too long to process. Please try again, or choose a simpler one.',
  notFound: 'Image not found or expired',
  wrongDeleteLink: 'This delete link is not valid',
  uploaded: 'Image uploaded successfully!',
  upload: 'Failed to upload image',
  uploadAgain: 'Failed to upload image. Please try again.',
  loadShare: 'Failed to load image share',
  loadImage: 'Failed to load image',
  deleteShare: 'Failed to delete image share',
} as const

/** Texts of refusals that are not the image's fault: the post can be sent again with the same captcha. */
export const imageRetryTexts: readonly string[] = [imageMessages.busy, imageMessages.tooSlow]

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

/** Box of a shared image on its page, in CSS px. */
export const SHARE_BOX = { width: 1136, height: 720 } as const

/** A shared image as its page and the call read it. */
export type ImageShareView = {
  id: string
  /** name of the full file, under /dtpchan/uploads/ */
  filename: string
  createdAt: Date
  expiresAt: Date
  views: number
  /** the full file */
  image: ImageFile & { bytes: number; animated: boolean }
  /** what the page shows: the full file, or a smaller one where that would be more than is seen */
  display: ImageFile
  /** JPEG for link previews */
  preview: ImageFile
}

/** Answer of an upload. */
export type CreatedImageShare = {
  /** address of its page */
  url: string
  /** address of the full file */
  imageUrl: string
  /** address at which its maker can delete it; told this once */
  deleteUrl: string
  filename: string
  expiresAt: Date
}
