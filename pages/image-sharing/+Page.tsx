import { useData } from 'vike-react/useData'
import { ShareFeatures, ShareTools, ShareWarning } from '#src/features/image/ShareAside.tsx'
import { ShareForm } from '#src/features/image/ShareForm.tsx'
import { t } from '#src/i18n/t.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.tsx'
import type { Data } from './+data.ts'
import styles from './page.module.css'

export default function Page() {
  const site = useSite()
  const { siteUrl, submittedForm, idempotencyKey } = useData<Data>()
  return (
    <div className="wrap">
      <PageHeader title={t('image.service')} lead={t('image.lead')} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <ShareWarning />
          <ShareForm submitted={submittedForm} idempotencyKey={idempotencyKey} />
        </div>
        <aside className={styles.aside}>
          <ShareFeatures />
          <ShareTools siteName={site.name} siteUrl={siteUrl} />
        </aside>
      </div>
    </div>
  )
}
