import { z } from 'zod'

export const siteContentParams = z.object({ slug: z.string().max(100) })
