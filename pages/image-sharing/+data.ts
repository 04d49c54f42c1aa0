import type { PageContextServer } from 'vike/types'
import { createIdempotencyKey } from '#src/lib/share.ts'

export type Data = ReturnType<typeof data>

export const data = ({ siteUrl = '', submittedForm }: PageContextServer) => ({
  siteUrl,
  submittedForm: submittedForm ?? null,
  idempotencyKey: createIdempotencyKey(),
})
