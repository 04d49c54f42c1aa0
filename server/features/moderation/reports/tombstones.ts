import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { takedown } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'

/** Items with URLs of their own. `file` is an image id, which all files of an image share. */
type TombstoneKind = 'paste' | 'image' | 'file'
type Keys = Pick<Services, 'secrets'>

const hashOf = ({ secrets }: Keys, kind: TombstoneKind, id: string): Uint8Array =>
  new Uint8Array(createHmac('sha256', secrets.takedown).update(`${kind}\n${id}`).digest())

/** Remembers that items were taken down, so that their URLs answer 410. Stores no ids, because ids grant access. */
export async function storeTombstones(
  keys: Keys,
  tx: Transaction,
  at: Date,
  kind: TombstoneKind,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = ids.map((id) => ({ hash: hashOf(keys, kind, id), at }))
  await tx.insert(takedown).values(rows).onConflictDoNothing()
}

export const isTakenDown = async (ctx: Keys & { db: Database }, kind: TombstoneKind, id: string): Promise<boolean> =>
  (await ctx.db.$count(takedown, eq(takedown.hash, hashOf(ctx, kind, id)))) > 0

const takenDown = () => errors.notFound(refusal('moderation.reportTakenDown'), { takenDown: true })

/** Returns the error for an item that was not found: 410 if it was taken down, otherwise 404 with `message`. */
export const missingItem = async (ctx: Keys & { db: Database }, kind: TombstoneKind, id: string, message: Refusal) =>
  (await isTakenDown(ctx, kind, id)) ? takenDown() : errors.notFound(message)

/** @throws AppError 410 if the item was taken down: sending its form again must not store it again */
export async function rejectTakenDown(ctx: Keys & { db: Database }, kind: TombstoneKind, id: string): Promise<void> {
  if (await isTakenDown(ctx, kind, id)) throw takenDown()
}
