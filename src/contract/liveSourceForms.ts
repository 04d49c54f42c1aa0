import { z } from 'zod'

export const sourceParams = z.object({ id: z.string().max(100) })
