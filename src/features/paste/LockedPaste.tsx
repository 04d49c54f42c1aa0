import { Flame, KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type HighlightedPaste, PASTE_CALL, type PasteFlags } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { MultipartForm } from '#src/ui/MultipartForm.tsx'
import { type BrowserKeys, canEncrypt, decryptInBrowser, deriveKeys } from './browserCrypto.ts'
import { parseFragment } from './fragment.ts'
import styles from './paste.module.css'

type LockedPasteProps = PasteFlags & {
  id: string
  refusal: string | null
  fetchPaste: (proof: string | undefined) => Promise<HighlightedPaste>
  onOpen: (opened: HighlightedPaste) => void
}

/**
 * Stands in for a paste that burns after reading or is encrypted, until the visitor opens the paste. Works without
 * script if the paste is not encrypted: the browser sends the form, and the server answers with the paste's page.
 */
export function LockedPaste({ id, refusal, fetchPaste, onOpen, ...flags }: LockedPasteProps) {
  const { burnAfterReading, encrypted, passwordProtected } = flags
  const [password, setPassword] = useState('')
  const { unlock, busy, error: unlockError } = useUnlock({ encrypted, fetchPaste, onOpen })
  const error = unlockError ?? refusal
  const opensItself = !burnAfterReading && !passwordProtected
  const begun = useRef(false)

  useEffect(() => {
    if (!opensItself || begun.current) return
    begun.current = true
    void unlock('')
  })

  return (
    <MultipartForm
      className={`panel stack ${styles.lock}`}
      action={`${PASTE_CALL}/${encodeURIComponent(id)}/read`}
      onSubmit={() => unlock(password)}
      noValidate
    >
      {error && <Alert>{error}</Alert>}
      <p className={styles.text}>
        {burnAfterReading ? <Flame className="icon accent" /> : <KeyRound className="icon accent" />}
        <span>{explanation(flags)}</span>
      </p>
      {encrypted && (
        <noscript>
          <p className="hint">{t('paste.needsScript')}</p>
        </noscript>
      )}
      {passwordProtected && (
        <Field label={t('auth.password')}>
          <TextInput
            type="password"
            name="paste-password"
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      )}
      {(!opensItself || error) && (
        <Button
          native={!encrypted}
          variant="primary"
          type="submit"
          busy={busy}
          disabled={passwordProtected && password === ''}
        >
          {burnAfterReading ? t('paste.readAndDelete') : t('paste.open')}
        </Button>
      )}
    </MultipartForm>
  )
}

function explanation({ burnAfterReading, passwordProtected }: PasteFlags): string {
  if (burnAfterReading) return t('paste.openOnce')
  return passwordProtected ? t('paste.openWithPassword') : t('paste.openWithKey')
}

/** An error whose message is shown to the reader. */
class UnlockError extends Error {}

type Source = {
  encrypted: boolean
  /** fetches the paste; if it burns after reading, the server then deletes it */
  fetchPaste: (proof: string | undefined) => Promise<HighlightedPaste>
  onOpen: (opened: HighlightedPaste) => void
}

function useUnlock({ encrypted, fetchPaste, onOpen }: Source) {
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
