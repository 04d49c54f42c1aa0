import { z } from 'zod'
import { operationMessages } from './operations.ts'

export const jobRef = z.object({
  name: z.string(operationMessages.jobNotFound).max(100, operationMessages.jobNotFound),
})
