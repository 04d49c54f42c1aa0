import { CalendarDays } from 'lucide-react'
import {
  type Broadcast,
  type BroadcastSummary,
  PODCAST_PATH,
  PODCAST_TYPE,
  type Streamer,
} from '#src/contract/archive.ts'
import type { AuthUser } from '#src/contract/auth.ts'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { PlaybackProps } from './recording.ts'
import styles from './StreamerPanel.module.css'
import { StreamerPanel, useDeepLink } from './StreamerPanel.tsx'

type ArchiveScreenProps = PlaybackProps & {
  stationId: number
  streamers: Streamer[]
  /** by the streamer's id; contains what the server knows so far */
  summaries: Record<number, BroadcastSummary>
  /** the panel that the URL opens; `broadcasts` is null if loading them failed */
  user: AuthUser | null
  opened: { streamerId: number; broadcasts: Broadcast[] | null } | null
}

export function ArchiveScreen({ stationId, streamers, summaries, opened, user, ...playing }: ArchiveScreenProps) {
  useDeepLink()
  const schedule = (
    <ButtonLink href="/radio">
      <CalendarDays className="icon" />
      {t('archive.schedule')}
    </ButtonLink>
  )

  return (
    <div className="wrap">
      <PageHeader
        title={t('archive.title')}
        lead={t('archive.lead')}
        action={
          streamers.length > 0 && (
            <div className={`cluster ${styles.aside}`}>
              <dl className={styles.totals}>
                <div>
                  <dt className="label">{t('archive.streamers', { count: streamers.length })}</dt>
                  <dd>{formatNumber(streamers.length)}</dd>
                </div>
              </dl>
              <FeedLink href={PODCAST_PATH} label={t('archive.podcast')} type={PODCAST_TYPE} />
              {schedule}
            </div>
          )
        }
      />
      {streamers.length === 0 ? (
        <EmptyState hint={t('archive.noneHint')} action={schedule}>
          {t('archive.noStreamers')}
        </EmptyState>
      ) : (
        <div className={`ruled ${styles.streamers}`}>
          {streamers.map((streamer) => (
            <StreamerPanel
              key={`${stationId}/${streamer.id}`}
              stationId={stationId}
              streamer={streamer}
              canEdit={user !== null}
              summary={summaries[streamer.id]}
              opened={opened?.streamerId === streamer.id ? opened : null}
              {...playing}
            />
          ))}
        </div>
      )}
    </div>
  )
}
