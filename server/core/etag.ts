import { createHash } from 'node:crypto'

/** Whether an If-None-Match header holds this tag; who stands between may have made it a weak one. */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')

/** A strong tag for what is made anew each time: the same bytes have the same one. */
export const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
