import { eq } from 'drizzle-orm'
import { storedBytes } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { bucketsForNetworks, type LimitBucket, type LimitContext } from '#server/core/limits/rateLimits.ts'
import { returnTokens } from '#server/core/limits/tokenBuckets.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { type StorageKind, storageTexts } from '#src/contract/limits.ts'

const DAY_SECONDS = 24 * 60 * 60
/** when clients of a full site may retry; until then, the jobs that delete expired pastes and images run twice */
const FULL_RETRY_SECONDS = 600

export type StorageUse = { kind: StorageKind; bytes: number }

/**
 * Estimates the stored bytes from the upload's size. Returns null for a truncated upload, because it is never stored.
 */
export const imageStorageUse = (image: UploadedFile | undefined): StorageUse | null =>
  image && !image.truncated ? { kind: 'image', bytes: image.bytes.length } : null

/** Returns the daily storage buckets of the visitor's networks. @throws AppError 503 if the site is full */
export async function storageBuckets(ctx: LimitContext, stored: StorageUse | null): Promise<LimitBucket[]> {
  if (!stored) return []
  const { kind, bytes } = stored
  const [row] = await ctx.db.select({ bytes: storedBytes.bytes }).from(storedBytes).where(eq(storedBytes.kind, kind))
  if ((row?.bytes ?? 0) + bytes > ctx.config.limits.storage[kind].total) {
    throw errors.unavailable(storageTexts[kind].full, { retryAfter: FULL_RETRY_SECONDS })
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
  return bucketsForNetworks(ctx, { name: `store ${kind}`, rate, amount: bytes, text: storageTexts[kind].network })
}
