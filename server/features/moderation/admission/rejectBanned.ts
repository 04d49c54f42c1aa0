import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { formatUtc } from '#server/core/formatUtc.ts'
import { refusal } from '#src/contract/refusal.ts'
import { findBan } from './liveBans.ts'

/** @throws AppError 403 with the ban's reason and end, and a token for an appeal if nobody has appealed yet */
export async function rejectBanned(ctx: Context, boardId: string | null): Promise<void> {
  const found = findBan(await ctx.moderation.bans.get(), ctx.address, boardId, ctx.now())
  if (!found) return
  const { id, reason, endsAt, isAppealed } = found
  const appealToken = isAppealed ? null : createAppealToken(ctx.secrets.appeals, id)
  throw errors.forbidden(refusal('moderation.banned', { date: formatUtc(endsAt), reason }), {
    ban: { reason, endsAt, appealToken },
  })
}

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/

const sign = (key: Uint8Array, banId: number) => createHmac('sha256', key).update(`appeal ${banId}`).digest()

/** Creates a token that lets a banned visitor appeal, without an account and from any address. */
const createAppealToken = (key: Uint8Array, banId: number): string =>
  `${banId}.${sign(key, banId).toString('base64url')}`

/** @returns the ban's id, or null for an invalid token */
export function verifyAppealToken(key: Uint8Array, token: string): number | null {
  const [, id, mac = ''] = TOKEN.exec(token) ?? []
  const given = Buffer.from(mac, 'base64url')
  return id !== undefined && given.length === 32 && timingSafeEqual(given, sign(key, Number(id))) ? Number(id) : null
}
