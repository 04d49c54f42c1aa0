import { readFile, stat } from 'node:fs/promises'
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

/** waits before the next try while the image processes are busy */
const RETRY_MS = [500, 2000, 5000]

/** `mayPass`: whether a later run may find the image, or have space for it */
export type Refusal = { refusal: string; mayPass: boolean }

const MISSING: Refusal = { refusal: 'the file is missing', mayPass: true }
const TOO_LARGE: Refusal = { refusal: refusalText(refusal('image.size')), mayPass: false }

/** Returns an image's size in bytes, which is 0 for a file of the old site, or why it would be refused. Reads no image. */
export const checkImage = async (image: ImportedImage): Promise<{ bytes: number } | Refusal> =>
  image.location instanceof URL ? { bytes: 0 } : findFile(image.location, image.name)

/** Encodes an image as `storeImage` does, and stores nothing. @returns bytes of the files, or null if it is refused */
export async function encodeImage(ctx: Context, one: ImportedImage, kind: PostKind): Promise<number | null> {
  const bytes = await readImage(ctx, one)
  if ('refusal' in bytes) return null
  const found = await ctx.images.process(bytes, displaySizes(kind)).catch(() => null)
  return found && found.original.length + found.preview.bytes.length + found.display.bytes.length
}

/** Stores an image like an upload: decoded, encoded again, within the quota, and unless it is blocked. */
export async function storeImage(ctx: Context, one: ImportedImage, kind: PostKind): Promise<StoredImage | Refusal> {
  const bytes = await readImage(ctx, one)
  if ('refusal' in bytes) return bytes
  const upload = new UploadedFile(one.name, imageTypeOf(one.name) ?? '', bytes)
  for (let attempt = 0; ; attempt++) {
    try {
      await storageBuckets(ctx, imageStorageUse([upload]))
      return await storeUpload(ctx, upload, displaySizes(kind), createImageId(), (hashes) =>
        admitSharedImage(ctx, hashes),
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const wait = RETRY_MS[attempt]
      if (wait === undefined || error.refusal !== refusal('image.busy'))
        return { refusal: error.message, mayPass: error.code === 'SERVICE_UNAVAILABLE' }
      await sleep(wait)
    }
  }
}

async function readImage({ fetcher }: Context, { name, location }: ImportedImage): Promise<Uint8Array | Refusal> {
  if (location instanceof URL) {
    try {
      return (await readPolitely(fetcher, location, { maxBytes: MAX_IMAGE_BYTES }))?.bytes ?? MISSING
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error
      if (error.message === 'too large') return TOO_LARGE
      return { refusal: `the old site failed: ${error.message}`, mayPass: true }
    }
  }
  const file = await findFile(location, name)
  return 'refusal' in file ? file : ((await readFile(file.path).catch(nullIfMissing)) ?? MISSING)
}

/** @param name as `{board}/{name}` */
async function findFile(folder: string | null, name: string): Promise<{ path: string; bytes: number } | Refusal> {
  if (folder === null) return MISSING
  const [board = '', file = ''] = name.split('/')
  for (const path of [join(folder, board, 'src', file), join(folder, board, file), join(folder, file)]) {
    const found = await stat(path).catch(() => null)
    if (found?.isFile()) return found.size > MAX_IMAGE_BYTES ? TOO_LARGE : { path, bytes: found.size }
  }
  return MISSING
}
