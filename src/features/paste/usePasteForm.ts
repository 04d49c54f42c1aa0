import { useEffect, useState } from 'react'
import { parseExpiry } from '#src/contract/fields.ts'
import type { FormRefusal, SubmittedForm } from '#src/contract/forms.ts'
import { type CreatedPaste, MAX_PASTE_BYTES, PASTE_CALL, type PasteForm, pasteLanguages } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation, useUnmountSignal } from '#src/lib/reactQuery.ts'
import { createIdempotencyKey, postShare, shareRefusal } from '#src/lib/share.ts'
import { readClaims } from '#src/lib/token.ts'
import { encryptInBrowser } from './browserCrypto.ts'

type Computed = 'content' | 'passwordProtected' | 'proofHash' | 'idempotencyKey'
/** The fields of the form. `content` and `password` are texts as the author typed them. */
export type Draft = Required<Omit<PasteForm, Computed>> & { content: string; password: string }

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
    onError: (thrown) => setError(shareRefusal(thrown, t('paste.createFailed'), t('paste.createFailedTryAgain'))),
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

/** Creates a paste. The returned URLs have the visitor's origin. @throws UploadError */
async function sendPaste(draft: Draft, signal?: AbortSignal): Promise<CreatedPaste> {
  const { body, fragment } = await prepareOnce(draft)
  const created = await postShare(PASTE_CALL, body, undefined, signal)
  return { ...created, url: created.url + fragment }
}

type Prepared = { body: object; fragment: string }

/** The answer can be lost: sending the same draft again is the same attempt, with the same encrypted bytes. */
const prepared = new WeakMap<Draft, Prepared>()

async function prepareOnce(draft: Draft): Promise<Prepared> {
  const made = prepared.get(draft) ?? (await prepare(draft))
  prepared.set(draft, made)
  return made
}

async function prepare({ content, language, encrypted, password, ...chosen }: Draft) {
  const options = { ...chosen, idempotencyKey: createIdempotencyKey() }
  if (!encrypted) return { body: { content, ...options, ...(language !== '' && { language }) }, fragment: '' }
  const { fragmentKey, content: sealed, proofHash } = await encryptInBrowser(content, password)
  const passwordProtected = password !== ''
  const body = { content: sealed, ...options, encrypted: true, passwordProtected, proofHash }
  return { body, fragment: `#${fragmentKey}` }
}
