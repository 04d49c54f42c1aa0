import { useData } from 'vike-react/useData'
import { PasteFeatures } from '#src/features/paste/PasteFeatures.tsx'
import { PasteForm } from '#src/features/paste/PasteForm.tsx'
import { t } from '#src/i18n/t.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'
import styles from './page.module.css'

export default function Page() {
  const { siteUrl, submittedForm, idempotencyKey } = useData<Data>()
  return (
    <div className="wrap">
      <PageHeader title={t('paste.service')} lead={t('paste.lead')} />
      <div className={styles.columns}>
        <PasteForm submitted={submittedForm} idempotencyKey={idempotencyKey} />
        <aside className={styles.aside}>
          <PasteFeatures siteUrl={siteUrl} />
        </aside>
      </div>
    </div>
  )
}
