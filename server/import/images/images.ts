import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import type { StoredImage } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { FetchFailed } from '#server/core/http/fetcher.ts'
import { createImageId, storeUpload } from '#server/core/storage/imageFiles.ts'
import { imageStorageUse, storageBuckets } from '#server/core/storage/storageQuota.ts'
import { displaySizes, type PostKind } from '#server/features/board/write/images.ts'
import { admitSharedImage } from '#server/features/moderation/rules/blockedImages.ts'
import { readPolitely } from '#server/import/source/readPolitely.ts'
import type { ImportedImage } from '#server/import/types.ts'
import { imageTypeOf, MAX_IMAGE_BYTES, UploadedFile } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

const MISSING = 'the file is missing'
/** waits before the next try while the image processes are busy */
const RETRY_MS = [500, 2000, 5000]

/** @returns why the image would be refused, or its size in bytes; 0 for a file of the old site. Reads no image. */
export async function checkImage({ name, location }: ImportedImage): Promise<{ refusal: string } | { bytes: number }> {
  if (location instanceof URL) return { bytes: 0 }
  const bytes = await sizeOf(await findFile(location, name))
  if (bytes === null) return { refusal: MISSING }
  return bytes > MAX_IMAGE_BYTES ? { refusal: refusalText(refusal('image.size')) } : { bytes }
}

/** Encodes an image as `storeImage` does, and stores nothing. @returns bytes of the files, or null if it is refused */
export async function encodeImage(ctx: Context, one: ImportedImage, kind: PostKind): Promise<number | null> {
  const bytes = await readImage(ctx, one)
  if ('refusal' in bytes) return null
  const found = await ctx.images.process(bytes, displaySizes(kind)).catch(() => null)
  return found && found.original.length + found.preview.bytes.length + found.display.bytes.length
}

/** `mayPass`: whether a later run may find the image, or have space for it */
export type Refusal = { refusal: string; mayPass: boolean }

/** Stores an image like an upload: decoded, encoded again, within the quota, and unless it is blocked. */
export async function storeImage(ctx: Context, one: ImportedImage, kind: PostKind): Promise<StoredImage | Refusal> {
  const checked = await checkImage(one)
  if ('refusal' in checked) return { refusal: checked.refusal, mayPass: checked.refusal === MISSING }
  const bytes = await readImage(ctx, one)
  if ('refusal' in bytes) return bytes
  const upload = new UploadedFile(one.name, imageTypeOf(one.name) ?? '', bytes)
  for (const wait of [...RETRY_MS, null]) {
    try {
      await storageBuckets(ctx, imageStorageUse([upload]))
      return await storeUpload(ctx, upload, displaySizes(kind), createImageId(), (hashes) =>
        admitSharedImage(ctx, hashes),
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (wait === null || error.refusal !== refusal('image.busy'))
        return { refusal: error.message, mayPass: error.code === 'SERVICE_UNAVAILABLE' }
      await sleep(wait)
    }
  }
  return { refusal: refusalText(refusal('image.busy')), mayPass: true }
}

const missing: Refusal = { refusal: MISSING, mayPass: true }

async function readImage({ fetcher }: Context, { name, location }: ImportedImage): Promise<Uint8Array | Refusal> {
  if (location instanceof URL) {
    try {
      return (await readPolitely(fetcher, location, { maxBytes: MAX_IMAGE_BYTES }))?.bytes ?? missing
    } catch (error) {
      if (error instanceof FetchFailed)
        return error.message === 'too large'
          ? { refusal: refusalText(refusal('image.size')), mayPass: false }
          : { refusal: `the old site failed: ${error.message}`, mayPass: true }
      throw error
    }
  }
  const path = await findFile(location, name)
  const file = path === null ? null : await open(path).catch(nullIfMissing)
  if (!file) return missing
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** @param name as `{board}/{name}` */
async function findFile(folder: string | null, name: string): Promise<string | null> {
  if (folder === null) return null
  const [board = '', file = ''] = name.split('/')
  for (const path of [join(folder, board, 'src', file), join(folder, board, file), join(folder, file)]) {
    if ((await sizeOf(path)) !== null) return path
  }
  return null
}

async function sizeOf(path: string | null): Promise<number | null> {
  const found = path === null ? null : await stat(path).catch(() => null)
  return found?.isFile() ? found.size : null
}
