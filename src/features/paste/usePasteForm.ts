import { type FormEvent, useState } from 'react'
import { DEFAULT_EXPIRY } from '#src/contract/expiry.ts'
import { type CreatedPaste, MAX_PASTE_BYTES, pasteMessages } from '#src/contract/paste.ts'
import { ILL_FORMED_TEXT } from '#src/contract/text.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
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
  const [error, setError] = useState<string | null>(null)
  const [created, setCreated] = useState<CreatedPaste | null>(null)
  const creation = useMutation({
    mutationFn: sendPaste,
    onSuccess: (paste) => {
      setCreated(paste)
      setDraft((typed) => ({ ...typed, content: '', password: '' }))
    },
    onError: (failure) => setError(failure instanceof RefusedPaste ? failure.message : pasteMessages.createAgain),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (creation.isPending) return
    const fault = validate(draft)
    setError(fault)
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
