import { ExternalLink } from 'lucide-react'
import type { CreatedPaste } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'
import { QrButton } from './QrButton.tsx'

export function PasteResult({ paste }: { paste: CreatedPaste }) {
  return (
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
      <QrButton readUrl={() => paste.url} />
    </ResultPanel>
  )
}
