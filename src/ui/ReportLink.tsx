import { reportUrl } from '#src/contract/reports.ts'
import { t } from '#src/i18n/t.ts'
import { Apart } from './Apart.tsx'

/** Links to the report form for an item of this site. Works without script. */
export function ReportLink({ path, className }: { path: string; className?: string }) {
  return (
    <Apart>
      <a className={className} href={reportUrl(path)} rel="nofollow">
        {t('ui.report')}
      </a>
    </Apart>
  )
}
