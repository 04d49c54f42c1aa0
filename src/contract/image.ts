export type { CreatedImageShare, ImageFile, ImageShareView, ImageView } from './imageAnswers.ts'

/** The documented call that shares an image. The form sends to it. */
export const SHARE_CALL = '/api/image-share'
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** images of a post */
export const MAX_POST_IMAGES = 4
export const MAX_STILL_PIXELS = 40_000_000
/** pixels of all frames together */
export const MAX_ANIMATION_PIXELS = 100_000_000
/** The JPEG maximum. Limits long, narrow images, because they decode more slowly than squares. */
export const MAX_IMAGE_SIDE = 65_535

/** The maximum of WebP, as which animated PNGs are stored. */
export const MAX_WEBP_SIDE = 16_383

/**
 * Whether an image is so tall that a thumbnail of all of it would be a thin line. Its thumbnails show the upper part, and
 * its page shows it in its full height.
 */
export const isTall = ({ width, height }: { width: number; height: number }): boolean => height > 4 * width

/** Thumbnails have more pixels than CSS px, for high-density screens. */
export const PIXEL_DENSITY = 2

/** Types that a client may declare. The server detects the actual type from the bytes. */
export const IMAGE_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const

const TYPES_BY_ENDING = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
])

export const imageTypeOf = (name: string): string | undefined => TYPES_BY_ENDING.get(name.split('.').at(-1) ?? '')

/** A file from a form, in memory. `type` is what the client declared. */
export class UploadedFile {
  constructor(
    readonly filename: string,
    readonly type: string,
    readonly bytes: Uint8Array,
    /** true if the file is larger than MAX_IMAGE_BYTES: `bytes` then contains only the beginning */
    readonly truncated = false,
  ) {}
}

/** Maximum size of a shared image on its page, in CSS px. */
export const SHARE_BOX = { width: 1136, height: 720 } as const

/** Size in pixels of the image that link previews of the site and of threads show. */
export const CARD = { width: 1200, height: 630 } as const
