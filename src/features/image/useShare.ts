import { useRef, useState } from 'react'
import { DEFAULT_EXPIRY, type ExpiryHours } from '#src/contract/expiry.ts'
import { type ImageShared, imageMessages } from '#src/contract/image.ts'
import { imageFault } from '#src/lib/imageFault.ts'
import { here } from '#src/lib/origin.ts'
import { postForm, UploadError } from '#src/lib/upload.ts'

/** An image on its way to being shared: chosen, sent, and where it then is. */
export function useShare() {
  const [file, setFile] = useState<File | null>(null)
  const [expiryHours, setExpiryHours] = useState<ExpiryHours>(DEFAULT_EXPIRY)
  const [error, setError] = useState<string | null>(null)
  const [uploading, setUploading] = useState(false)
  /** share of the form that has been sent; stays at 1 after success */
  const [progress, setProgress] = useState(0)
  const [shared, setShared] = useState<ImageShared | null>(null)

  const latest = useRef<File>(null)

  async function choose(chosen: File) {
    if (uploading) return
    latest.current = chosen
    const fault = await imageFault(chosen)
    // another file was chosen meanwhile
    if (latest.current !== chosen) return
    setError(fault)
    if (fault) return
    setFile(chosen)
    setShared(null)
    setProgress(0)
  }

  function remove() {
    setFile(null)
    setError(null)
  }

  async function send() {
    if (uploading) return
    if (!file) return setError(imageMessages.required)
    const form = new FormData()
    form.set('image', file)
    form.set('expiryHours', String(expiryHours))
    setError(null)
    setProgress(0)
    setUploading(true)
    try {
      const answer = await postForm<ImageShared>('/api/image-share', form, setProgress)
      setShared({ ...answer, url: here(answer.url), deleteUrl: here(answer.deleteUrl) })
      setFile(null)
      setProgress(1)
    } catch (thrown) {
      setError(failure(thrown))
    } finally {
      setUploading(false)
    }
  }

  return {
    file,
    choose,
    remove,
    expiryHours,
    setExpiryHours,
    error,
    dismiss: () => setError(null),
    uploading,
    progress,
    shared,
    send,
  }
}

function failure(thrown: unknown): string {
  if (!(thrown instanceof UploadError) || thrown.status === 0) return imageMessages.uploadAgain
  return thrown.text ?? imageMessages.upload
}
