import type { HighlightedPaste } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { type BrowserKeys, canEncrypt, decryptInBrowser, deriveKeys } from './browserCrypto.ts'
import { parseFragment } from './fragment.ts'

/** An error whose message is shown to the reader. */
class UnlockError extends Error {}

type Source = {
  encrypted: boolean
  /** fetches the paste; if it burns after reading, the server then deletes it */
  fetchPaste: (proof: string | undefined) => Promise<HighlightedPaste>
  onOpen: (opened: HighlightedPaste) => void
}

export function useUnlock({ encrypted, fetchPaste, onOpen }: Source) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (password: string) => {
      const keys = encrypted ? await deriveKeysOf(password) : null
      const opened = await fetchPaste(keys?.proof)
      return keys ? decrypt(opened, keys) : opened
    },
    onSuccess: onOpen,
  })

  return {
    unlock: mutate,
    busy: isPending,
    error: error instanceof UnlockError ? error.message : error && errorText(error, t('paste.loadFailed')),
  }
}

async function deriveKeysOf(password: string): Promise<BrowserKeys> {
  const { key } = parseFragment(location.hash)
  if (!key) throw new UnlockError(t('paste.keyMissing'))
  if (!canEncrypt()) throw new UnlockError(t('paste.needsHttps'))
  return deriveKeys(key, password)
}

async function decrypt({ paste }: HighlightedPaste, { key }: BrowserKeys): Promise<HighlightedPaste> {
  try {
    const content = await decryptInBrowser(paste.content, key)
    return { paste: { ...paste, content, encoding: 'utf-8' }, highlights: [], fullSize: null }
  } catch {
    throw new UnlockError(t('paste.wrongProof'))
  }
}
