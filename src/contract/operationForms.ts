import { z } from 'zod'
import { refusal } from './refusal.ts'

export const jobRef = z.object({
  name: z.string(refusal('admin.jobNotFound')).max(100, refusal('admin.jobNotFound')),
})
