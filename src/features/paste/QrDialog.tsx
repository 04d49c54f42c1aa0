import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { QrCode } from '#src/ui/QrCode.tsx'

export function QrDialog({ url, onClose }: { url: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={url !== null}
      onClose={onClose}
      title={t('paste.qrCode')}
      narrow
      foot={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      {url && <QrCode text={url} label={t('paste.qrCodeOf', { url })} />}
    </Dialog>
  )
}
