export const BOUNDARY = 'edge-of-a-part'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** Returns the bytes of a form part with the given header lines. */
export const part = (disposition: string, body: string | Uint8Array, type?: string): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n`),
    Buffer.from(type ? `Content-Type: ${type}\r\n\r\n` : '\r\n'),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])

export const fieldPart = (name: string, value: string | Uint8Array): Buffer => part(`form-data; name="${name}"`, value)
export const filePart = (name: string, filename: string, type: string, bytes: Uint8Array | string): Buffer =>
  part(`form-data; name="${name}"; filename="${filename}"`, bytes, type)

/** Returns the complete form body. */
export const formBody = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
