import { createECDH } from 'node:crypto'

/** Both base64url, as web-push expects them. */
export type VapidKeys = { publicKey: string; privateKey: string }

/** Derives the key pair that identifies this site to push services. @param seed 32 random bytes */
export function deriveVapidKeys(seed: Uint8Array): VapidKeys {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from(seed))
  return {
    publicKey: curve.getPublicKey('base64url', 'uncompressed'),
    privateKey: Buffer.from(seed).toString('base64url'),
  }
}
