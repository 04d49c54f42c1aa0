import { useState } from 'react'
import { DEFAULT_EXPIRY, type ExpiryHours } from '#src/contract/expiry.ts'
import { IMAGE_TYPES, type ImageShared, imageMessages, MAX_IMAGE_BYTES } from '#src/contract/image.ts'
import { here } from '#src/lib/origin.ts'
import { postForm, UploadError } from '#src/lib/upload.ts'

const isTaken = (type: string) => (IMAGE_TYPES as readonly string[]).includes(type)

/** What is wrong with a chosen file, as the server would say. */
function faultOf(file: File): string | null {
  if (!isTaken(file.type)) return imageMessages.type
  return file.size > MAX_IMAGE_BYTES ? imageMessages.size : null
}

/** An image on its way to being shared: chosen, sent, and where it then is. */
export function useShare() {
  const [file, setFile] = useState<File | null>(null)
  const [expiryHours, setExpiryHours] = useState<ExpiryHours>(DEFAULT_EXPIRY)
  const [error, setError] = useState<string | null>(null)
  const [uploading, setUploading] = useState(false)
  /** share of the form that has been sent; stays at 1 after success */
  const [progress, setProgress] = useState(0)
  const [shared, setShared] = useState<ImageShared | null>(null)

  function choose(chosen: File) {
    if (uploading) return
    const fault = faultOf(chosen)
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
