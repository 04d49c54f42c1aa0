import { isUtf8 } from 'node:buffer'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, errors } from '#server/core/errors.ts'
import type { MemoryBudget } from '#server/core/limits/networkBudget.ts'
import { MAX_IMAGE_BYTES, UploadedFile } from '#src/contract/image.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'

/** Limits memory per field. Clients send larger contents as files. */
const MAX_FIELD_BYTES = 512 * 1024
/** Limits CPU time for parsing. Every form has fewer fields. */
const MAX_PARTS = 30
/**
 * Much larger than the file limit: most browsers show a response only after they have sent the form, and fields can
 * follow an oversized file.
 */
export const MAX_FORM_BYTES = 64 * 1024 * 1024

type Tally = {
  read: number
  /** takes memory from the budget */
  take: (bytes: number) => void
  /** The announced size is above the limit, so the form is refused as soon as the reason is known. */
  isOversized: boolean
  /** why a form that is too large is refused */
  tooLarge: Refusal
}

export type FileRules = {
  /**
   * How many files `image` may have; more than one come as a list. Of files beyond that, the list has the first one,
   * without its bytes, so that the procedure refuses the form.
   */
  maxImages?: number
  /** whether to return a file in `image` that is not declared as an image, instead of ignoring it */
  keepsOtherFiles?: boolean
  /**
   * Field for a file or a raw body. Reads at most `maxBytes` + 1: the extra byte shows that the file is too large.
   * Typed text can be twice as long, because browsers send line breaks as CRLF.
   */
  bytesField?: { name: string; maxBytes: number }
  /** returns whether a field may come several times; its values become a list */
  isList?: (name: string) => boolean
}

type FormFields = Record<string, unknown>

/** Has no prototype, because clients choose the names. */
export const createFormFields = (): FormFields => Object.create(null)

export type FormReading = {
  /** receives the fields as they are read, and `image` as a list, so that they are known if the form is refused */
  fields?: FormFields
  /** error that is thrown before the first file: the form is refused already, but its page shows the fields again */
  refused?: unknown
}

/**
 * Parses a form: fields become text, files in `image` become uploads. Ignores other files except `bytesField`; see also
 * `keepsOtherFiles`.
 * @throws AppError 400 for a truncated form, repeated fields or invalid UTF-8, 413 if too large, 503 if memory is short
 */
export async function parseMultipartForm(
  request: FastifyRequest,
  budget: Pick<MemoryBudget, 'take'>,
  rules: FileRules = {},
  { fields = createFormFields(), refused }: FormReading = {},
): Promise<FormFields> {
  const isOversized = Number(request.headers['content-length']) > MAX_FORM_BYTES
  const take = (bytes: number) => budget.take(request, bytes)
  const tally: Tally = { read: 0, take, isOversized, tooLarge: refusal('failure.tooLarge') }
  try {
    return await collect(request, tally, rules, fields, refused)
  } catch (error) {
    const isKnown = error instanceof AppError || hasStatus(error) || error === refused
    throw isKnown ? error : errors.badRequest(refusal('failure.badRequest'))
  }
}

/** Parser errors without a status mean that the form is truncated or the boundary is missing. */
const hasStatus = (error: unknown) => error instanceof Error && 'statusCode' in error

async function collect(
  request: FastifyRequest,
  tally: Tally,
  rules: FileRules,
  form: FormFields,
  refused: unknown,
): Promise<FormFields> {
  const { maxImages = 1, isList = () => false } = rules
  const images: UploadedFile[] = []
  const seen = new Set<string>()
  const parts = request.files({
    // Treats fields as files, because the parser silently replaces invalid UTF-8 in text fields.
    isPartAFile: () => true,
    // One extra byte shows that a file is too large: the parser silently discards bytes above its limit.
    limits: { fileSize: MAX_FORM_BYTES + 1, files: MAX_PARTS, parts: MAX_PARTS },
  })
  for await (const part of parts) {
    if (part.fieldname === 'image' && part.filename) form.image = images
    if (refused && part.filename !== undefined) throw refused
    if (part.fieldname === 'image') {
      const isKept = images.length < maxImages && !tally.isOversized
      const image = await readImage(part, tally, rules, isKept ? MAX_IMAGE_BYTES : 0)
      if (image && images.length > 0 && maxImages === 1) throw errors.badRequest(refusal('image.onlyOne'))
      if (image && images.length <= maxImages) images.push(image)
      continue
    }
    const value = await readPart(part, tally, rules)
    if (value === undefined) continue
    const { fieldname: name } = part
    if (isList(name)) {
      form[name] = [...((form[name] as unknown[] | undefined) ?? []), value]
      continue
    }
    if (seen.has(name)) throw errors.badRequest(refusal('failure.badRequest'))
    seen.add(name)
    form[name] = value
  }
  if (refused) throw refused
  const image = maxImages === 1 ? images[0] : images
  const { image: _imagesSoFar, ...texts } = form
  return { ...texts, ...(images.length > 0 && { image }) }
}

async function readImage(
  part: MultipartFile,
  tally: Tally,
  { keepsOtherFiles }: FileRules,
  maxBytes: number,
): Promise<UploadedFile | undefined> {
  const filename = part.filename as string | undefined
  // Clients such as curl declare many images as application/octet-stream. The bytes decide.
  const isImage = keepsOtherFiles || part.mimetype.toLowerCase().startsWith('image/')
  const { bytes, truncated } = await read(part, isImage ? maxBytes : 0, tally, isImage)
  // If no file was chosen, browsers send a part without a file name or content.
  const isChosen = Boolean(filename) || bytes.length > 0 || truncated
  return isImage && (isChosen || !keepsOtherFiles)
    ? new UploadedFile(filename ?? '', part.mimetype, bytes, truncated)
    : undefined
}

async function readPart(
  part: MultipartFile,
  tally: Tally,
  { bytesField }: FileRules,
): Promise<string | Buffer | undefined> {
  const filename = part.filename as string | undefined
  if (filename !== undefined && part.fieldname === bytesField?.name) {
    return (await read(part, bytesField.maxBytes + 1, tally)).bytes
  }
  if (filename !== undefined) return void (await read(part, 0, tally))
  const maxBytes = bytesField && part.fieldname === bytesField.name ? 2 * bytesField.maxBytes : MAX_FIELD_BYTES
  const { bytes, truncated } = await read(part, maxBytes, tally)
  // The procedure refuses such a field with its own text.
  if (truncated && maxBytes > MAX_FIELD_BYTES) return bytes
  if (truncated) throw errors.tooLarge(refusal('failure.tooLarge'))
  if (!isUtf8(bytes)) throw errors.badRequest(refusal('failure.badRequest'))
  return bytes.toString()
}

/** Reads a part to its end. Returns at most the first `maxBytes`. */
async function read(
  part: MultipartFile,
  maxBytes: number,
  tally: Tally,
  isImage = false,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    const wanted = chunk.subarray(0, Math.max(0, maxBytes - length))
    length += chunk.length
    tally.read += chunk.length
    const isLarge = length > MAX_IMAGE_BYTES
    if (isImage && isLarge) tally.tooLarge = refusal('image.size')
    if (tally.read > MAX_FORM_BYTES || (tally.isOversized && isLarge)) throw errors.tooLarge(tally.tooLarge)
    if (wanted.length === 0) continue
    tally.take(wanted.length)
    chunks.push(wanted)
  }
  return { bytes: Buffer.concat(chunks), truncated: length > maxBytes }
}
