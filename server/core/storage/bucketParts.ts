import type { AskBucket } from './bucketCalls.ts'

export type Part = { Bucket: string; Key: string; UploadId: string | undefined; PartNumber: number }
/** Sends one part. @returns its ETag */
export type SendPart = (part: Part) => Promise<string | undefined>

/** Stores an object that is sent in parts. The object exists only when all parts are there. */
export async function putParts(
  ask: AskBucket,
  target: { Bucket: string; Key: string },
  parts: AsyncIterable<SendPart>,
  ms: number,
): Promise<void> {
  const { UploadId } = await ask('CreateMultipartUpload', ms, (client, sdk, abortSignal) =>
    client.send(new sdk.CreateMultipartUploadCommand(target), { abortSignal }),
  )
  const upload = { ...target, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for await (const send of parts) {
      const PartNumber = Parts.length + 1
      Parts.push({ PartNumber, ETag: await send({ ...upload, PartNumber }) })
    }
    await ask('CompleteMultipartUpload', ms, (client, sdk, abortSignal) =>
      client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), { abortSignal }),
    )
  } catch (error) {
    // Most providers charge for the parts of uploads that nobody completes. `removeUnfinished` repeats a failure.
    await abortUpload(ask, upload, ms).catch(() => {})
    throw error
  }
}

type Upload = { Bucket: string; Key: string | undefined; UploadId: string | undefined }

export const abortUpload = (ask: AskBucket, { Bucket, Key, UploadId }: Upload, ms: number) =>
  ask('AbortMultipartUpload', ms, (client, sdk, abortSignal) =>
    client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }),
  )
