import { createECDH, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'

type Ece = { decrypt: (body: Buffer, keys: { version: string; privateKey: unknown; authSecret: string }) => Buffer }
// The library that web-push encrypts with. A browser has its own.
const ece: Ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece')

/** Creates the keys of a browser's push subscription. `decrypt` reads a message as the browser would. */
export function createPushKeys() {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  return {
    keys: { p256dh: curve.getPublicKey('base64url'), auth },
    decrypt: (body: Buffer): string =>
      String(ece.decrypt(body, { version: 'aes128gcm', privateKey: curve, authSecret: auth })),
  }
}
