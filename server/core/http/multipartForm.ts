import { isUtf8 } from 'node:buffer'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, errors, errorTexts } from '#server/core/errors.ts'
import type { BodyReservation } from '#server/core/limits/bodyBudget.ts'
import { MAX_IMAGE_BYTES, UploadedFile } from '#src/contract/image.ts'

const FIELD_BYTES = 512 * 1024
const PARTS = 30
/** Room for a file over the limit, so that it is refused by its own text and not by a broken connection. */
export const MAX_FORM_BYTES = 24 * 1024 * 1024
/** Of what has arrived already something is read in less. */
const STUCK_SECONDS = 3

/** Bytes of one form that were read, and where those that are kept are counted. */
type Tally = { read: number; holding: BodyReservation }

/** `hand over`: a file in `image` that is not declared an image comes along without its bytes. */
export type OtherFiles = 'pass over' | 'hand over'

/** A field whose file is kept, as its bytes: at most this many and one more, which shows that it is too large. */
export type BytesField = { field: string; mostBytes: number }

type FileRules = { otherFiles?: OtherFiles; raw?: BytesField }

/**
 * Reads a multipart form into a plain object: fields as text, the picture in `image`. Parts may come in any
 * order; a file that is not declared an image is passed over unless asked for, as is one in another field but `raw`.
 * @throws AppError 400 for a form that is cut off, names a field twice or is no UTF-8, 413 for one that is too large,
 * 503 when too much is being read at once
 */
export async function parseMultipartForm(
  request: FastifyRequest,
  holding: BodyReservation,
  rules: FileRules = {},
): Promise<Record<string, unknown>> {
  try {
    const tally: Tally = { read: 0, holding }
    if (Number(request.headers['content-length']) > MAX_FORM_BYTES) throw errors.tooLarge(errorTexts.tooLarge)
    return await unlessStuck(request, tally, collect(request, tally, rules))
  } catch (error) {
    throw error instanceof AppError || hasStatus(error) ? error : errors.badRequest(errorTexts.badRequest)
  }
}

/**
 * Ends a reading that gets nowhere although there is something to read. Guards connections: of a form whose boundaries
 * stand where no browser would put them the reader can lose hold, and would wait for itself without end.
 */
async function unlessStuck<T>({ raw }: FastifyRequest, tally: Tally, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stuck = new Promise<never>((_resolve, reject) => {
    let seen = -1
    let still = 0
    timer = setInterval(() => {
      const now = tally.read + (raw.socket.bytesRead ?? 0)
      const isWaiting = raw.readableLength === 0 && !raw.complete
      if (now !== seen || isWaiting) still = 0
      else if (++still >= STUCK_SECONDS) reject(errors.badRequest(errorTexts.badRequest))
      seen = now
    }, 1000)
  })
  return Promise.race([reading, stuck]).finally(() => clearInterval(timer))
}

/** The reader's own refusals have a status; a form that is cut off or has no boundary ends in a bare error. */
const hasStatus = (error: unknown) => error instanceof Error && 'statusCode' in error

async function collect(request: FastifyRequest, tally: Tally, rules: FileRules): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = Object.create(null)
  const seen = new Set<string>()
  const parts = request.files({
    // Every part as its bytes: as text, the reader would replace what is no UTF-8 without a word.
    isPartAFile: () => true,
    // One byte more, for what is over the reader's limit it swallows without end.
    limits: { fileSize: MAX_FORM_BYTES + 1, files: PARTS, parts: PARTS },
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
  { otherFiles, raw }: FileRules,
): Promise<string | Buffer | UploadedFile | undefined> {
  const filename = part.filename as string | undefined
  if (part.fieldname === 'image') {
    if (!part.mimetype.toLowerCase().startsWith('image/')) {
      const { bytes, truncated } = await read(part, 0, tally)
      // A form sent without a choice has a part without name and content.
      const isFile = otherFiles === 'hand over' && (Boolean(filename) || truncated)
      return isFile ? new UploadedFile(filename ?? '', part.mimetype, bytes, truncated) : undefined
    }
    const { bytes, truncated } = await read(part, MAX_IMAGE_BYTES, tally)
    return new UploadedFile(filename ?? '', part.mimetype, bytes, truncated)
  }
  if (filename !== undefined && part.fieldname === raw?.field) {
    return (await read(part, raw.mostBytes + 1, tally)).bytes
  }
  if (filename !== undefined) return void (await read(part, 0, tally))
  const { bytes, truncated } = await read(part, FIELD_BYTES, tally)
  if (truncated) throw errors.tooLarge(errorTexts.tooLarge)
  if (!isUtf8(bytes)) throw errors.badRequest(errorTexts.badRequest)
  return bytes.toString()
}

/** Reads a part to its end but keeps no more of it than `most` bytes. */
async function read(part: MultipartFile, most: number, tally: Tally): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    tally.read += chunk.length
    if (tally.read > MAX_FORM_BYTES) throw errors.tooLarge(errorTexts.tooLarge)
    const wanted = chunk.subarray(0, Math.max(0, most - length))
    length += chunk.length
    if (wanted.length === 0) continue
    tally.holding.take(wanted.length)
    chunks.push(wanted)
  }
  return { bytes: Buffer.concat(chunks), truncated: length > most }
}
