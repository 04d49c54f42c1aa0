import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { RequestRows } from '#src/features/show/RequestRows.tsx'
import { SongSearch } from '#src/features/show/SongSearch.tsx'
import styles from '#src/features/show/Songs.module.css'
import { t } from '#src/i18n/t.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function SongRequests({ data: { query, tracks, queue, refusal } }) {
  const user = useSession()
  return (
    <div className="wrap">
      <PageHeader
        trail={[{ label: t('ui.home'), href: '/' }, { label: t('show.requestSong') }]}
        title={t('show.requestSong')}
        lead={t('show.requestsLead')}
      />
      <div className={styles.columns}>
        <section aria-labelledby="library">
          <h2 className="label" id="library">
            {t('show.library')}
          </h2>
          <SongSearch key={query} query={query} tracks={tracks} refusal={refusal} />
        </section>
        <section aria-labelledby="queue">
          <h2 className="label" id="queue">
            {t('show.waiting')}
          </h2>
          <RequestRows initial={queue} canFinish={user?.role === 'admin'} />
        </section>
      </div>
    </div>
  )
})
