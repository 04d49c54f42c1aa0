import { isUtf8 } from 'node:buffer'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, errors, errorTexts } from '#server/core/errors.ts'
import type { BodyReservation } from '#server/core/limits/bodyBudget.ts'
import { MAX_IMAGE_BYTES, UploadedFile } from '#src/contract/image.ts'

/** Guards memory. Larger contents are sent as files. */
const MAX_FIELD_BYTES = 512 * 1024
/** Guards the processor; no form has as many fields. */
const MAX_PARTS = 30
/** Above the file limit, so that a large file is rejected with its own text instead of a broken connection. */
export const MAX_FORM_BYTES = 24 * 1024 * 1024
/** The parser reads some of the received bytes in less time. */
const STALL_SECONDS = 3

type Tally = { read: number; reservation: BodyReservation }

export type FileRules = {
  /** whether a file in `image` without an image type is returned without its bytes instead of ignored */
  keepsOtherFiles?: boolean
  /** field that takes the bytes of a file or of a raw body: at most `maxBytes` + 1, which shows that it is too large */
  bytesField?: { name: string; maxBytes: number }
}

/**
 * Parses a form: fields as text, the file in `image`. Ignores other files except `bytesField`, unless `keepsOtherFiles` is set.
 * @throws AppError 400 for a truncated form, repeated fields or invalid UTF-8, 413 if too large, 503 if memory is short
 */
export async function parseMultipartForm(
  request: FastifyRequest,
  reservation: BodyReservation,
  rules: FileRules = {},
): Promise<Record<string, unknown>> {
  try {
    const tally: Tally = { read: 0, reservation }
    if (Number(request.headers['content-length']) > MAX_FORM_BYTES) throw errors.tooLarge(errorTexts.tooLarge)
    return await rejectStalled(request, tally, collect(request, tally, rules))
  } catch (error) {
    throw error instanceof AppError || hasStatus(error) ? error : errors.badRequest(errorTexts.badRequest)
  }
}

/** Guards connections: with unusual boundaries, the parser can wait forever although bytes have arrived. */
async function rejectStalled<T>({ raw }: FastifyRequest, tally: Tally, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stalled = new Promise<never>((_resolve, reject) => {
    let previous = -1
    let idleSeconds = 0
    timer = setInterval(() => {
      const now = tally.read + (raw.socket.bytesRead ?? 0)
      const isWaiting = raw.readableLength === 0 && !raw.complete
      if (now !== previous || isWaiting) idleSeconds = 0
      else if (++idleSeconds >= STALL_SECONDS) reject(errors.badRequest(errorTexts.badRequest))
      previous = now
    }, 1000)
  })
  return Promise.race([reading, stalled]).finally(() => clearInterval(timer))
}

/** Parser errors without a status mean a truncated form or a missing boundary. */
const hasStatus = (error: unknown) => error instanceof Error && 'statusCode' in error

async function collect(request: FastifyRequest, tally: Tally, rules: FileRules): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = Object.create(null)
  const seen = new Set<string>()
  const parts = request.files({
    // As text, the parser would silently replace bytes that are not UTF-8.
    isPartAFile: () => true,
    // One byte more: the parser silently discards what exceeds its limit.
    limits: { fileSize: MAX_FORM_BYTES + 1, files: MAX_PARTS, parts: MAX_PARTS },
  })
  for await (const part of parts) {
    const value = await readPart(part, tally, rules)
    if (value === undefined) continue
    if (seen.has(part.fieldname)) throw errors.badRequest(repeated(part.fieldname))
    seen.add(part.fieldname)
    form[part.fieldname] = value
  }
  return { ...form }
}

const repeated = (name: string) => (name === 'image' ? 'Only one image can be attached' : errorTexts.badRequest)

async function readPart(
  part: MultipartFile,
  tally: Tally,
  { keepsOtherFiles, bytesField }: FileRules,
): Promise<string | Buffer | UploadedFile | undefined> {
  const filename = part.filename as string | undefined
  if (part.fieldname === 'image') {
    const isImage = part.mimetype.toLowerCase().startsWith('image/')
    const { bytes, truncated } = await read(part, isImage ? MAX_IMAGE_BYTES : 0, tally)
    // A form without a chosen file has a part without name and content.
    const isKept = isImage || (keepsOtherFiles && (Boolean(filename) || truncated))
    return isKept ? new UploadedFile(filename ?? '', part.mimetype, bytes, truncated) : undefined
  }
  if (filename !== undefined && part.fieldname === bytesField?.name) {
    return (await read(part, bytesField.maxBytes + 1, tally)).bytes
  }
  if (filename !== undefined) return void (await read(part, 0, tally))
  const { bytes, truncated } = await read(part, MAX_FIELD_BYTES, tally)
  if (truncated) throw errors.tooLarge(errorTexts.tooLarge)
  if (!isUtf8(bytes)) throw errors.badRequest(errorTexts.badRequest)
  return bytes.toString()
}

/** Reads a part to its end and returns at most its first `maxBytes`. */
async function read(
  part: MultipartFile,
  maxBytes: number,
  tally: Tally,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    tally.read += chunk.length
    if (tally.read > MAX_FORM_BYTES) throw errors.tooLarge(errorTexts.tooLarge)
    const wanted = chunk.subarray(0, Math.max(0, maxBytes - length))
    length += chunk.length
    if (wanted.length === 0) continue
    tally.reservation.take(wanted.length)
    chunks.push(wanted)
  }
  return { bytes: Buffer.concat(chunks), truncated: length > maxBytes }
}
