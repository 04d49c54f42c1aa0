import { useEffect, useState } from 'react'
import { parseExpiry } from '#src/contract/fields.ts'
import type { FormRefusal, SubmittedForm } from '#src/contract/forms.ts'
import { type CreatedPaste, MAX_PASTE_BYTES, pasteLanguages } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation, useUnmountSignal } from '#src/lib/reactQuery.ts'
import { readClaims } from '#src/lib/token.ts'
import { type Draft, RefusedPaste, sendPaste } from './sendPaste.ts'

/** Returns the draft that a browser sent without script, or an empty one. */
function readDraft(form: SubmittedForm | null): Draft {
  const { content = '', expiryHours, language = '', burnAfterReading } = form?.fields ?? {}
  return {
    content: form?.result ? '' : content,
    expiryHours: parseExpiry(expiryHours),
    language: language === 'plain' || Object.hasOwn(pasteLanguages, language) ? (language as Draft['language']) : '',
    burnAfterReading: burnAfterReading === 'true',
    encrypted: false,
    password: '',
  }
}

/** Makes the same checks as the server, because the server cannot check encrypted content. */
function validate({ content }: Draft): string | null {
  if (content.trim() === '') return t('paste.contentRequired')
  if (!content.isWellFormed()) return t('failure.unstorable')
  return new TextEncoder().encode(content).length > MAX_PASTE_BYTES ? t('paste.tooLarge') : null
}

/**
 * A paste that its author left unsent, and the user who wrote it. In memory only, because a paste can be secret: storage
 * would keep it.
 */
let unsent: { draft: Draft; user: unknown } | null = null

/** A user who has to log in again gets it back, and nobody else. Guests keep theirs when they log in. */
const readUnsent = () => (unsent && [undefined, readClaims().email].includes(unsent.user) ? unsent.draft : null)

/** @param submitted the form that the browser sent without script, if the page answers one */
export function usePasteForm(submitted: SubmittedForm | null) {
  const [draft, setDraft] = useState(() => (submitted ? readDraft(submitted) : (readUnsent() ?? readDraft(null))))
  const [error, setError] = useState<FormRefusal | null>(submitted?.refusal ?? null)
  const [created, setCreated] = useState((submitted?.result ?? null) as CreatedPaste | null)
  // After the form is gone, nobody would see the link and the delete link.
  const unmountSignal = useUnmountSignal()
  useEffect(() => {
    if (draft.content !== '') unsent = { draft, user: readClaims().email }
    else if (readUnsent()) unsent = null
  }, [draft])
  const creation = useMutation({
    mutationFn: (sent: Draft) => sendPaste(sent, unmountSignal()),
    onSuccess: (paste) => {
      setCreated(paste)
      setDraft((typed) => ({ ...typed, content: '', password: '' }))
    },
    onError: (failure) =>
      setError(
        failure instanceof RefusedPaste
          ? { text: failure.message, appealToken: failure.appealToken }
          : { text: t('paste.createFailedTryAgain') },
      ),
  })

  function submit() {
    if (creation.isPending) return
    const fault = validate(draft)
    setError(fault === null ? null : { text: fault })
    if (!fault) creation.mutate(draft)
  }

  return {
    draft,
    change: (patch: Partial<Draft>) => setDraft((typed) => ({ ...typed, ...patch })),
    error,
    dismiss: () => setError(null),
    busy: creation.isPending,
    created,
    submit,
  }
}
