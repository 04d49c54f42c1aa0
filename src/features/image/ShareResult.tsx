import { ExternalLink } from 'lucide-react'
import type { CreatedImageShare } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'

export function ShareResult({ shared }: { shared: CreatedImageShare }) {
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
