import { z } from 'zod'

/** Accepts any string: an invalid id gets the same 404 as an unknown id. */
export const sourceParams = z.object({ id: z.string() })
