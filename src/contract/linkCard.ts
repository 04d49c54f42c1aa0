import { z } from 'zod'
import { imageFileSchema } from './image.ts'

const path = z.string().describe('path on this site')
const bytes = z.int()
const expiresAt = z.date()

export const linkCardSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('paste'), path, bytes: bytes.describe('size with encryption'), expiresAt }),
    z.object({ kind: z.literal('image'), path, bytes, expiresAt, preview: imageFileSchema }),
    z.object({
      kind: z.literal('program'),
      path,
      name: z.string(),
      description: z.string(),
      category: z.string(),
    }),
    z.object({
      kind: z.literal('broadcast'),
      path,
      title: z.string().nullable(),
      streamer: z.string(),
      startedAt: z.date(),
    }),
  ])
  .meta({ id: 'LinkCard' })
/** An item of this site that a post links to. */
export type LinkCard = z.output<typeof linkCardSchema>
