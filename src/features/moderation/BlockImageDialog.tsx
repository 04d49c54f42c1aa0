import { useState } from 'react'
import { IMAGE_TYPES } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import { findImageFileError } from '#src/lib/imageFileError.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { postForm, UploadError } from '#src/lib/upload.ts'
import { Field } from '#src/ui/Field.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
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

  function submit() {
    if (!file) setFault(t('image.required'))
    else if (!fault) mutate(file)
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('moderation.blockImageTitle')}
      lead={t('moderation.blockImageLead')}
      busy={isPending}
      dirty={file !== null || reason !== ''}
      onSubmit={submit}
      label={t('moderation.block')}
      refusal={error && ((error instanceof UploadError && error.text) || t('moderation.blockImageFailed'))}
    >
      <Field label={t('image.image')} hint={t('moderation.blockImageHint')} error={fault}>
        <FilePicker
          file={file}
          over={over}
          onChange={([chosen = null]) => void choose(chosen)}
          accept={IMAGE_TYPES.join(',')}
          hint={t('moderation.imageSize')}
        />
      </Field>
      <ReasonField value={reason} onChange={setReason} hint={t('moderation.blockReasonHint')} />
    </FormDialog>
  )
}
