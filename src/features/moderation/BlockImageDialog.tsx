import { type FormEvent, useState } from 'react'
import { blockedImageMessages } from '#src/contract/blockedImages.ts'
import { IMAGE_TYPES, imageMessages } from '#src/contract/image.ts'
import { findImageFileError } from '#src/lib/imageFileError.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { postForm, UploadError } from '#src/lib/upload.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field } from '#src/ui/Field.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { ReasonField } from '#src/ui/ReasonField.tsx'
import { useIncomingFiles } from '#src/ui/useIncomingFiles.ts'

type BlockImageDialogProps = { onClose: () => void; onAdded: () => void }

/** Sends an image, of which the server keeps only the hashes. */
export function BlockImageDialog({ onClose, onAdded }: BlockImageDialogProps) {
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (image: File) => {
      const form = new FormData()
      form.set('image', image)
      form.set('reason', reason)
      await postForm('/api/moderation/blocked-images', form)
    },
    onSuccess: onAdded,
  })

  async function choose(chosen: File | null) {
    reset()
    setFile(chosen)
    setFault(chosen && (await findImageFileError(chosen)))
  }
  const over = useIncomingFiles(([chosen]) => chosen && void choose(chosen))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!file) setFault(imageMessages.required)
    else if (!fault) mutate(file)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Block an image"
      lead="We keep only its hashes, not the image"
      busy={isPending}
      dirty={file !== null}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            Block
          </Button>
        </>
      }
    >
      {error && <Alert>{(error instanceof UploadError && error.text) || blockedImageMessages.add}</Alert>}
      <Field
        label="Image"
        hint="This file will be refused everywhere. Posts with a similar image will wait for a review."
        error={fault}
      >
        <FilePicker
          file={file}
          over={over}
          onChange={([chosen = null]) => void choose(chosen)}
          accept={IMAGE_TYPES.join(',')}
          hint="5 MB max"
        />
      </Field>
      <ReasonField value={reason} onChange={setReason} hint="Optional. Only admins see it." />
    </Dialog>
  )
}
