import { eq } from 'drizzle-orm'
import { storedBytes } from '#db/schema/index.ts'
import type { StorageKind } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { bucketsForNetworks, type LimitBucket, type LimitContext } from '#server/core/limits/rateLimits.ts'
import { returnTokens } from '#server/core/limits/tokenBuckets.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'

const DAY_SECONDS = 24 * 60 * 60
/** when clients of a full site may retry; until then, the jobs that delete expired pastes and images run twice */
const FULL_RETRY_SECONDS = 600

export type StorageUse = { kind: StorageKind; bytes: number }

/**
 * Estimates the stored bytes from the sizes of the uploads. Returns null without uploads, and if one is truncated,
 * because none of them is then stored.
 */
export function imageStorageUse(images: UploadedFile[]): StorageUse | null {
  if (images.length === 0 || images.some(({ truncated }) => truncated)) return null
  return { kind: 'image', bytes: images.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}

/** Returns the daily storage buckets of the visitor's networks. @throws AppError 503 if the site is full */
export async function storageBuckets(ctx: LimitContext, stored: StorageUse | null): Promise<LimitBucket[]> {
  if (!stored) return []
  const { kind, bytes } = stored
  const [row] = await ctx.db.select({ bytes: storedBytes.bytes }).from(storedBytes).where(eq(storedBytes.kind, kind))
  if ((row?.bytes ?? 0) + bytes > ctx.config.limits.storage[kind].total) {
    throw errors.unavailable(refusal(`limit.${kind}sFull`), { retryAfter: FULL_RETRY_SECONDS })
  }
  return bucketsForStorage(ctx, stored)
}

/** Replaces the estimate with the stored bytes. Accepts this upload even above the quota, but not the next upload. */
export async function correctStorageUse(ctx: LimitContext, expected: StorageUse, bytes: number): Promise<void> {
  if (!ctx.config.rateLimit || bytes === expected.bytes) return
  const before = bucketsForStorage(ctx, expected)
  const now = bucketsForStorage(ctx, { ...expected, bytes })
  const changes = before.map((bucket, index) => ({ ...bucket, costMs: bucket.costMs - (now[index]?.costMs ?? 0) }))
  await returnTokens(ctx.db, changes)
}

function bucketsForStorage(ctx: LimitContext, { kind, bytes }: StorageUse): LimitBucket[] {
  const { perNetwork } = ctx.config.limits.storage[kind]
  const rate = { burst: perNetwork, everySeconds: DAY_SECONDS / perNetwork }
  return bucketsForNetworks(ctx, { name: `store ${kind}`, rate, amount: bytes, text: refusal(`limit.${kind}Bytes`) })
}
