import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { MAX_IMAGE_BYTES, UploadedFile } from '#src/contract/image.ts'
import { errors, errorTexts } from './errors.ts'

const FIELD_BYTES = 512 * 1024
const PARTS = 30
/** Room for a file over the limit, so that it is refused by its own text and not by a broken connection. */
const FORM_BYTES = 24 * 1024 * 1024
/** Guards memory: forms being read at the same time, over all requests. */
const IN_FLIGHT_BYTES = 192 * 1024 * 1024
let inFlight = 0

/**
 * Reads a multipart form into a plain object: fields as text, the picture in `image`. Parts may come in any
 * order; a file that is not declared an image is passed over, as is one in another field.
 * @throws AppError 400 for a form that is cut off or names a field twice, 413 for one that is too large
 */
export async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const announced = Number(request.headers['content-length'])
  if (announced > FORM_BYTES) throw errors.tooLarge(errorTexts.tooLarge)
  const reserved = Number.isFinite(announced) ? announced : FORM_BYTES
  if (inFlight + reserved > IN_FLIGHT_BYTES) throw errors.unavailable(errorTexts.unavailable)
  inFlight += reserved
  try {
    return await collect(request)
  } finally {
    inFlight -= reserved
  }
}

async function collect(request: FastifyRequest): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = Object.create(null)
  const seen = new Set<string>()
  const parts = request.parts({
    limits: { fieldSize: FIELD_BYTES, fileSize: MAX_IMAGE_BYTES, fields: PARTS, files: PARTS, parts: PARTS },
  })
  for await (const part of parts) {
    const value = part.type === 'file' ? await readFile(part) : readField(part)
    if (value === undefined) continue
    if (seen.has(part.fieldname)) throw errors.badRequest(repeated(part.fieldname))
    seen.add(part.fieldname)
    form[part.fieldname] = value
  }
  return { ...form }
}

const repeated = (name: string) => (name === 'image' ? 'Only one image can be attached' : errorTexts.badRequest)

function readField(part: Exclude<Multipart, MultipartFile>): string | undefined {
  if (part.valueTruncated || part.fieldnameTruncated) throw errors.tooLarge(errorTexts.tooLarge)
  return typeof part.value === 'string' ? part.value : undefined
}

/** The whole picture, in memory; one over the limit is read to its end but kept no longer than the limit. */
async function readFile(part: MultipartFile): Promise<UploadedFile | undefined> {
  const wanted = part.fieldname === 'image' && part.mimetype.toLowerCase().startsWith('image/')
  const chunks: Buffer[] = []
  for await (const chunk of part.file) if (wanted) chunks.push(chunk as Buffer)
  if (!wanted) return undefined
  return new UploadedFile(part.filename, part.mimetype, Buffer.concat(chunks), part.file.truncated)
}
