type Bytes = Uint8Array<ArrayBuffer>

/** Encodes bytes as standard base64, in chunks, because a function call accepts a limited number of arguments. */
export function toBase64(bytes: Bytes): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** @throws Error if the text is not base64 */
export const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export const toBase64Url = (bytes: Bytes): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** @throws Error if the text is not base64 */
export const fromBase64Url = (text: string): Bytes => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))

const VERSION = 'paste/browser/v1'
const VERSION_BYTE = 1
const KEY_BYTES = 32
const IV_BYTES = 12
/** The number of iterations that OWASP recommends for PBKDF2 with SHA-256. */
const PBKDF2_ITERATIONS = 600_000

const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** `proof` shows the server that the reader has the key, without revealing the key. */
export type BrowserKeys = { key: CryptoKey; proof: string }

/** Browsers offer Web Crypto only over https and on localhost. */
export const canEncrypt = (): boolean => globalThis.crypto?.subtle !== undefined

/**
 * @param fragmentKey base64url of the 32 random bytes in the URL hash; browsers never send the hash
 * @param password '' if the paste has no password
 */
export async function deriveKeys(fragmentKey: string, password: string): Promise<BrowserKeys> {
  const secret = fromBase64Url(fragmentKey)
  if (secret.length !== KEY_BYTES) throw new Error('The key in the URL has a wrong length')
  // Derives the salt from the random key in the URL, so that nobody can guess passwords without the URL.
  const stretched =
    password === '' ? new Uint8Array() : await stretchPassword(password, await deriveSubkey(secret, 'salt'))
  const material = new Uint8Array([...secret, ...stretched])
  const key = await crypto.subtle.importKey('raw', await deriveSubkey(material, 'key'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
  return { key, proof: toBase64Url(await deriveSubkey(material, 'proof')) }
}

async function deriveSubkey(material: Bytes, purpose: string): Promise<Bytes> {
  const base = await crypto.subtle.importKey('raw', material, 'HKDF', false, ['deriveBits'])
  const info = utf8(`${VERSION}/${purpose}`)
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, base, 256),
  )
}

async function stretchPassword(password: string, salt: Bytes): Promise<Bytes> {
  // Normalizes the password, because keyboards can produce different code points for the same letter.
  const base = await crypto.subtle.importKey('raw', utf8(password.normalize('NFC')), 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: PBKDF2_ITERATIONS }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, base, 256))
}

/** Encrypts a text with a new key. Only the URL hash contains `fragmentKey`; the server gets the other values. */
export async function encryptInBrowser(text: string, password: string) {
  const fragmentKey = toBase64Url(crypto.getRandomValues(new Uint8Array(KEY_BYTES)))
  const { key, proof } = await deriveKeys(fragmentKey, password)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv), key, utf8(text)))
  const envelope = new Uint8Array(1 + IV_BYTES + sealed.length)
  envelope.set([VERSION_BYTE])
  envelope.set(iv, 1)
  envelope.set(sealed, 1 + IV_BYTES)
  const proofHash = new Uint8Array(await crypto.subtle.digest('SHA-256', fromBase64Url(proof)))
  return { fragmentKey, content: toBase64(envelope), proofHash: toBase64Url(proofHash) }
}

/** @throws Error if the key is wrong or the content was changed */
export async function decryptInBrowser(content: string, key: CryptoKey): Promise<string> {
  const envelope = fromBase64(content)
  if (envelope[0] !== VERSION_BYTE) throw new Error('The paste has an unknown version')
  const iv = envelope.subarray(1, 1 + IV_BYTES)
  const text = await crypto.subtle.decrypt(algorithm(iv), key, envelope.subarray(1 + IV_BYTES))
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text)
}

const algorithm = (iv: Bytes) => ({ name: 'AES-GCM', iv, additionalData: utf8(VERSION), tagLength: 128 })
