import { ExternalLink, QrCode } from 'lucide-react'
import { useState } from 'react'
import type { CreatedPaste } from '#src/contract/paste.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'
import { QrDialog } from './QrDialog.tsx'

export function PasteResult({ paste }: { paste: CreatedPaste }) {
  const [qrUrl, setQrUrl] = useState<string | null>(null)
  return (
    <>
      <ResultPanel noun="paste" result={paste} message="Paste created" urlLabel="Paste URL" copyLabel="Copy URL">
        <ButtonLink href={paste.url} target="_blank" rel="noopener">
          <ExternalLink className="icon" />
          View
        </ButtonLink>
        <Button onClick={() => setQrUrl(paste.url)}>
          <QrCode className="icon" />
          QR code
        </Button>
      </ResultPanel>
      <QrDialog url={qrUrl} onClose={() => setQrUrl(null)} />
    </>
  )
}
