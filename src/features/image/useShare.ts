import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type ExpiryHours, parseExpiry } from '#src/contract/fields.ts'
import type { FormRefusal, SubmittedForm } from '#src/contract/forms.ts'
import { SHARE_CALL } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import { findImageFileError } from '#src/lib/imageFileError.ts'
import { useMutation, useUnmountSignal } from '#src/lib/reactQuery.ts'
import { createIdempotencyKey, postShare, type Shared, shareRefusal } from '#src/lib/share.ts'

/** The answer can be lost: sending the same file again is the same attempt. */
const idempotencyKeys = new WeakMap<File, string>()

/** @param submitted the form that the browser sent without script, if the page answers one */
export function useShare(submitted: SubmittedForm | null) {
  const [file, setFile] = useState<File | null>(null)
  const [expiryHours, setExpiryHours] = useState<ExpiryHours>(() => parseExpiry(submitted?.fields.expiryHours))
  const [error, setError] = useState<FormRefusal | null>(submitted?.refusal ?? null)
  const [shared, setShared] = useState((submitted?.result ?? null) as Shared | null)
  /** how much of the form is sent, from 0 to 1; 1 after success */
  const [progress, setProgress] = useState(shared ? 1 : 0)
  // After the form is gone, nobody would see the link and the delete link.
  const unmountSignal = useUnmountSignal()
  const upload = useMutation({
    mutationFn: (form: FormData) => postShare(SHARE_CALL, form, setProgress, unmountSignal()),
    onSuccess: (answer) => {
      setShared(answer)
      setFile(null)
      setProgress(1)
    },
    onError: (thrown) => setError(shareRefusal(thrown, t('image.uploadFailed'), t('image.uploadFailedTryAgain'))),
  })

  const latest = useRef<File>(null)

  async function choose(chosen: File) {
    if (upload.isPending) return
    latest.current = chosen
    const fault = await findImageFileError(chosen)
    // The visitor chose another file during the check.
    if (latest.current !== chosen) return
    setError(fault === null ? null : { text: fault })
    if (fault) return
    setFile(chosen)
    setShared(null)
    setProgress(0)
  }

  function remove() {
    setFile(null)
    setError(null)
  }

  function send() {
    if (upload.isPending) return
    if (!file) return setError({ text: t('image.required') })
    const form = new FormData()
    form.set('image', file)
    form.set('expiryHours', String(expiryHours))
    const key = idempotencyKeys.get(file) ?? createIdempotencyKey()
    idempotencyKeys.set(file, key)
    form.set('idempotencyKey', key)
    setError(null)
    setShared(null)
    setProgress(0)
    upload.mutate(form)
  }

  return {
    file,
    choose,
    remove,
    expiryHours,
    setExpiryHours,
    error,
    dismiss: () => setError(null),
    fail: (text: string) => setError({ text }),
    uploading: upload.isPending,
    progress,
    shared,
    send,
  }
}

// The service worker (public/service-worker.js) puts the image that another app shared here.
const CACHE = 'shared'
const IMAGE = '/shared-image'

/** Takes the image that another app shared with the installed site. Only the visitor's upload sends it. */
export function useSharedImage(onFile: (file: File) => void, onError: (text: string) => void) {
  const take = useEffectEvent((shared: File | string | null) => {
    if (typeof shared === 'string') onError(shared)
    else if (shared) onFile(shared)
  })

  useEffect(() => {
    const outcome = new URLSearchParams(location.search).get('shared')
    if (outcome === null) return
    // A reload must not take it again.
    history.replaceState(history.state, '', location.pathname)
    if (outcome === 'too-large') take(t('image.size'))
    else void readSharedImage().then(take)
  }, [])
}

async function readSharedImage(): Promise<File | null> {
  const cache = await caches.open(CACHE)
  const answer = await cache.match(IMAGE)
  if (!answer) return null
  await cache.delete(IMAGE)
  const name = decodeURIComponent(answer.headers.get('x-file-name') ?? 'image')
  return new File([await answer.blob()], name, { type: answer.headers.get('content-type') ?? '' })
}
