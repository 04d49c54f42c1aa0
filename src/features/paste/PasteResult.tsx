import { ExternalLink, QrCode } from 'lucide-react'
import { useState } from 'react'
import type { CreatedPaste } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'
import { QrDialog } from './QrDialog.tsx'

export function PasteResult({ paste }: { paste: CreatedPaste }) {
  const [qrUrl, setQrUrl] = useState<string | null>(null)
  return (
    <>
      <ResultPanel
        noun="paste"
        result={paste}
        message={t('paste.created')}
        urlLabel={t('paste.url')}
        copyLabel={t('paste.copyUrl')}
      >
        <ButtonLink href={paste.url} target="_blank" rel="noopener">
          <ExternalLink className="icon" />
          {t('ui.view')}
        </ButtonLink>
        <Button onClick={() => setQrUrl(paste.url)}>
          <QrCode className="icon" />
          {t('paste.qrCode')}
        </Button>
      </ResultPanel>
      <QrDialog url={qrUrl} onClose={() => setQrUrl(null)} />
    </>
  )
}
