import { type FormEvent, useState } from 'react'
import { DEFAULT_EXPIRY } from '#src/contract/expiry.ts'
import { type CreatedPaste, MAX_PASTE_BYTES, pasteMessages } from '#src/contract/paste.ts'
import { ILL_FORMED_TEXT } from '#src/contract/text.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import type { Refusal } from '#src/lib/refusal.ts'
import { type Draft, RefusedPaste, sendPaste } from './sendPaste.ts'

const empty: Draft = {
  content: '',
  expiryHours: DEFAULT_EXPIRY,
  language: '',
  burnAfterReading: false,
  encrypted: false,
  password: '',
}

/** Makes the same checks as the server, because the server cannot check encrypted content. */
function validate({ content }: Draft): string | null {
  if (content.trim() === '') return pasteMessages.contentRequired
  if (!content.isWellFormed()) return ILL_FORMED_TEXT
  return new TextEncoder().encode(content).length > MAX_PASTE_BYTES ? pasteMessages.tooLarge : null
}

export function usePasteForm() {
  const [draft, setDraft] = useState(empty)
  const [error, setError] = useState<Refusal | null>(null)
  const [created, setCreated] = useState<CreatedPaste | null>(null)
  const creation = useMutation({
    mutationFn: sendPaste,
    onSuccess: (paste) => {
      setCreated(paste)
      setDraft((typed) => ({ ...typed, content: '', password: '' }))
    },
    onError: (failure) =>
      setError(
        failure instanceof RefusedPaste
          ? { text: failure.message, appealToken: failure.appealToken }
          : { text: pasteMessages.createAgain },
      ),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
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
