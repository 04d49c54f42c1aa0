import { useState } from 'react'
import { type OpenedPaste, pasteMessages } from '#src/contract/paste.ts'
import { errorText } from '#src/lib/trpc.ts'
import { type BrowserKeys, canEncrypt, decryptInBrowser, deriveKeys } from './browserCrypto.ts'
import { parseFragment } from './fragment.ts'

const KEY_MISSING = 'The key is missing from the address: ask for the whole link'
const NEEDS_HTTPS = 'Your browser can decrypt over https only'

/** What the reader is told instead of being let in. */
class Locked extends Error {}

type Source = {
  encrypted: boolean
  /** gets the paste; what burns is gone with it */
  fetchPaste: (proof: string | undefined) => Promise<OpenedPaste>
  onOpen: (opened: OpenedPaste) => void
}

/** Opens a paste that is not open yet: with the key in the address, and a password where there is one. */
export function useUnlock({ encrypted, fetchPaste, onOpen }: Source) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function open(password: string) {
    setBusy(true)
    setError(null)
    try {
      const keys = encrypted ? await keysFor(password) : null
      const opened = await fetchPaste(keys?.proof)
      onOpen(keys ? await decrypted(opened, keys) : opened)
    } catch (failure) {
      setError(failure instanceof Locked ? failure.message : errorText(failure, pasteMessages.load))
    } finally {
      setBusy(false)
    }
  }

  return { open, busy, error }
}

async function keysFor(password: string): Promise<BrowserKeys> {
  const { key } = parseFragment(location.hash)
  if (!key) throw new Locked(KEY_MISSING)
  if (!canEncrypt()) throw new Locked(NEEDS_HTTPS)
  return deriveKeys(key, password)
}

async function decrypted({ paste }: OpenedPaste, { key }: BrowserKeys): Promise<OpenedPaste> {
  try {
    const content = await decryptInBrowser(paste.content, key)
    return { paste: { ...paste, content, encoding: 'utf-8' }, marks: [], whole: null }
  } catch {
    throw new Locked(pasteMessages.wrongProof)
  }
}
