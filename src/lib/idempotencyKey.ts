/** Creates the name of one attempt to send a form. `crypto.randomUUID` is missing on pages without TLS. */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
