import { QrCode as QrIcon } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { QrCode } from '#src/ui/QrCode.tsx'

/** Opens a dialog with the QR code of a paste. `readUrl` is called in the browser, on the click. */
export function QrButton({ readUrl }: { readUrl: () => string }) {
  const [url, setUrl] = useState<string | null>(null)
  const close = () => setUrl(null)
  return (
    <>
      <Button onClick={() => setUrl(readUrl())}>
        <QrIcon className="icon" />
        {t('paste.qrCode')}
      </Button>
      {url !== null && (
        <Dialog
          onClose={close}
          title={t('paste.qrCode')}
          narrow
          foot={<Button onClick={close}>{t('ui.close')}</Button>}
        >
          <QrCode text={url} label={t('paste.qrCodeOf', { url })} />
        </Dialog>
      )}
    </>
  )
}
