import type { Transaction } from '#db/client.server.ts'
import { streamer } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Names that listeners would take for the site, its staff or the automatic station. */
const RESERVED = [
  'admin',
  'admins',
  'administrator',
  'autodj',
  'mod',
  'mods',
  'moderator',
  'moderators',
  'official',
  'operator',
  'radio',
  'root',
  'site',
  'source',
  'staff',
  'station',
  'system',
  'unknown',
]

/** Returns the letters and digits of a name, or the whole name if it has none. */
const fold = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name

/** @throws AppError 409 */
export function rejectReservedName({ config, site }: Pick<Services, 'config' | 'site'>, name: string): void {
  const { hostname } = new URL(config.siteUrl)
  if ([...RESERVED, site.name, hostname].some((reserved) => fold(reserved) === fold(name))) {
    throw errors.conflict(refusal('streamer.nameReserved'))
  }
}

/**
 * Locks the names until the transaction ends. The unique index is not enough: the database's `lower` may know only ASCII.
 * @throws AppError 409 if another streamer has the name, or one that differs only in case and punctuation
 */
export async function rejectTakenName(tx: Transaction, name: string, userId: string): Promise<void> {
  await tx.execute('lock table streamer in share row exclusive mode')
  const others = await tx.select({ userId: streamer.userId, name: streamer.name }).from(streamer)
  if (others.some((other) => other.userId !== userId && fold(other.name) === fold(name))) {
    throw errors.conflict(refusal('streamer.nameTaken'))
  }
}
