import { z } from 'zod'
import { DEFAULT_EXPIRY, EXPIRY_HOURS, expiryRequired, idempotencyKey } from './fields.ts'
import { refusal } from './refusal.ts'

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

export const imageFileSchema = z.object({ url: z.string(), width: z.int(), height: z.int() }).meta({ id: 'ImageFile' })
export type ImageFile = z.output<typeof imageFileSchema>

const storedFile = imageFileSchema.extend({ bytes: z.int(), animated: z.boolean() })

export const imageSchema = storedFile
  .extend({
    preview: imageFileSchema.describe(
      'for lists: at most 200 CSS px tall, with more pixels for dense screens; of a very tall image, its upper part',
    ),
    display: imageFileSchema.describe(
      'for the thread page: at most 500 CSS px tall in a thread, 300 in a comment, 250 in a reply; of a very tall image, its upper part',
    ),
  })
  .meta({ id: 'Image' })
export type ImageView = z.output<typeof imageSchema>

export const imageShareSchema = z
  .object({
    id: z.string(),
    filename: z.string().describe('name of the full-size file, under /dtpchan/uploads/'),
    createdAt: z.date(),
    expiresAt: z.date(),
    views: z.int(),
    image: storedFile,
    display: imageFileSchema.describe('the file that the page shows: the full file or a smaller version'),
    preview: imageFileSchema.describe('JPEG for link previews'),
  })
  .meta({ id: 'ImageShare' })
export type ImageShareView = z.output<typeof imageShareSchema>

export const createdImageShareSchema = z.object({
  url: z.string().describe('URL of the page'),
  imageUrl: z.string().describe('URL of the file'),
  deleteUrl: z.string().describe('The server sends this URL only once, in the response to the upload'),
  filename: z.string(),
  expiresAt: z.date(),
})
export type CreatedImageShare = z.output<typeof createdImageShareSchema>

export const imageShareForm = z.object({
  image: z.instanceof(UploadedFile, { error: refusal('image.required') }),
  expiryHours: z.literal(EXPIRY_HOURS, { error: expiryRequired }).default(DEFAULT_EXPIRY),
  idempotencyKey,
})

/** Accepts any string: an invalid id gets the same 404 as an unknown id. */
const id = z.coerce.string<string | number>()
export const imageShareParams = z.object({ id })
export const deleteImageShareForm = z.object({
  id,
  token: z.string(refusal('image.wrongDeleteLink')),
})
