import { z } from 'zod'

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
