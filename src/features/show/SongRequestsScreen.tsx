import type { FoundTrack } from '#src/contract/songRequest.ts'
import { t } from '#src/i18n/t.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { type LoadedQueue, RequestRows } from './RequestRows.tsx'
import { SongSearch } from './SongSearch.tsx'
import styles from './Songs.module.css'

type SongRequestsScreenProps = {
  query: string
  tracks: FoundTrack[]
  queue: LoadedQueue
  refusal: string | null
  isAdmin: boolean
}

export function SongRequestsScreen({ query, tracks, queue, refusal, isAdmin }: SongRequestsScreenProps) {
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
          <RequestRows initial={queue} canFinish={isAdmin} />
        </section>
      </div>
    </div>
  )
}
