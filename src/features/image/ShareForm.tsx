import { ExternalLink, Upload } from 'lucide-react'
import type { SubmittedForm } from '#src/contract/forms.ts'
import { IMAGE_TYPES, SHARE_CALL } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import type { Shared } from '#src/lib/share.ts'
import { Alert, useAlertFocus } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { ExpiryField } from '#src/ui/ExpiryField.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { MultipartForm } from '#src/ui/MultipartForm.tsx'
import { RefusalText } from '#src/ui/RefusalText.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'
import { useIncomingFiles } from '#src/ui/useIncomingFiles.ts'
import styles from './image.module.css'
import { useShare, useSharedImage } from './useShare.ts'

type ShareFormProps = { submitted: SubmittedForm | null; idempotencyKey: string }

/** Works without script: the browser sends the form, and the server answers with this page. */
export function ShareForm({ submitted, idempotencyKey }: ShareFormProps) {
  const share = useShare(submitted)
  const alert = useAlertFocus(share.error)
  const over = useIncomingFiles(([file]) => file && void share.choose(file))
  useSharedImage(share.choose, share.fail)

  return (
    <div className="stack">
      {share.error && (
        <Alert ref={alert} onDismiss={share.dismiss}>
          <RefusalText refusal={share.error} />
        </Alert>
      )}
      {share.shared && <ShareResult shared={share.shared} />}
      <MultipartForm className="stack" action={SHARE_CALL} onSubmit={share.send}>
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
        <FilePicker
          className={styles.drop}
          name="image"
          label={t('image.image')}
          accept={IMAGE_TYPES.join(',')}
          hint={t('image.formats')}
          file={share.file}
          alt={t('image.previewOf', { name: share.file?.name ?? '' })}
          over={over}
          disabled={share.uploading}
          onChange={([file]) => (file ? void share.choose(file) : share.remove())}
        />
        <div className={`cluster ${styles.row}`}>
          <ExpiryField value={share.expiryHours} disabled={share.uploading} onChange={share.setExpiryHours} />
          <Button native variant="primary" type="submit" busy={share.uploading}>
            {!share.uploading && <Upload className="icon" />}
            {share.uploading ? t('image.uploading') : t('image.upload')}
          </Button>
        </div>
        {(share.uploading || share.shared) && (
          <div className="cluster">
            <progress value={share.progress} aria-label={t('image.progress')} />
            <span className="data">{progressText(share.uploading, share.progress)}</span>
          </div>
        )}
      </MultipartForm>
    </div>
  )
}

function progressText(uploading: boolean, progress: number): string {
  if (uploading && progress === 1) return t('image.removingExif')
  return t('ui.percent', { percent: Math.floor(progress * 100) })
}

function ShareResult({ shared }: { shared: Shared }) {
  return (
    <ResultPanel
      noun="image"
      result={shared}
      message={t('image.uploaded')}
      urlLabel={t('image.url')}
      copyLabel={t('ui.copy')}
    >
      <ButtonLink href={new URL(shared.url).pathname}>
        <ExternalLink className="icon" />
        {t('ui.view')}
      </ButtonLink>
    </ResultPanel>
  )
}
