import { Archive, CalendarPlus, Mic } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { CALENDAR_PATH, GO_LIVE_PATH, type OccurrenceView, type UpcomingShows } from '#src/contract/show.ts'
import { rich, t } from '#src/i18n/t.ts'
import { useLiveData } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useVisitorOrigin } from '#src/ui/hydration.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { useNow } from '#src/ui/useNow.ts'
import { groupByDay, ScheduleDay, useTimeFormat } from './ScheduleDay.tsx'
import styles from './ScheduleScreen.module.css'

type ScheduleScreenProps = {
  initial: ScheduleData
  siteUrl: string
  user: AuthUser | null
  renderDeck: (upcoming: UpcomingShows) => ReactNode
}

export function ScheduleScreen({ initial, siteUrl, user, renderDeck }: ScheduleScreenProps) {
  const { occurrences, current, next } = useSchedule(initial)
  const format = useTimeFormat()
  const origin = useVisitorOrigin(siteUrl)
  const ScheduleEditor = useLazyComponent(
    () => import('./ScheduleEditor.tsx').then((module) => module.ScheduleEditor),
    user !== null,
  )

  return (
    <div className="wrap">
      <PageHeader
        title={t('show.pageTitle')}
        lead={t('show.lead')}
        action={
          <div className="cluster">
            {/* Calendars subscribe to this scheme. A link to the file itself would be imported only once. */}
            <ButtonLink href={`${origin.replace(/^https?:/, 'webcal:')}${CALENDAR_PATH}`}>
              <CalendarPlus className="icon" />
              {t('show.subscribe')}
            </ButtonLink>
            <ButtonLink href="/archive">
              <Archive className="icon" />
              {t('site.archive')}
            </ButtonLink>
            {user && (
              <ButtonLink href={GO_LIVE_PATH}>
                <Mic className="icon" />
                {t('streamer.goLive')}
              </ButtonLink>
            )}
          </div>
        }
      />
      {renderDeck({ current, next })}
      <section className={styles.week} aria-labelledby="week-title">
        <div className={`cluster ${styles.head}`}>
          <h2 id="week-title">{t('show.week')}</h2>
          <p className="data">
            {rich('show.zone', {
              zone: format.zone.replaceAll('_', ' '),
              link: (text) => <a href={CALENDAR_PATH}>{text}</a>,
            })}
          </p>
        </div>
        {occurrences.length === 0 ? (
          <EmptyState action={<ButtonLink href="/archive">{t('show.pastShows')}</ButtonLink>}>
            {t('show.none')}
          </EmptyState>
        ) : (
          groupByDay(occurrences, format).map((day) => <ScheduleDay key={day.date} day={day} current={current} />)
        )}
      </section>
      {user && ScheduleEditor && <ScheduleEditor user={user} />}
    </div>
  )
}

/** An open page would otherwise list fewer and fewer days. */
const REFETCH_MS = 60 * 60 * 1000

type ScheduleData = { occurrences: OccurrenceView[]; now: Date; lastEventId: string }

/** Returns the occurrences that have not ended, and keeps them current. */
function useSchedule(initialData: ScheduleData) {
  const { data, refetch } = useLiveData({
    initialData,
    lastEventId: initialData.lastEventId,
    key: initialData.now.getTime(),
    read: async (): Promise<ScheduleData> => (await trpc()).show.schedule.query({}),
    topic: 'shows',
    isChange: ({ kind }) => kind === 'schedule',
  })
  const now = useNow() ?? data.now.getTime()
  const isOld = now - data.now.getTime() > REFETCH_MS

  // biome-ignore lint/correctness/useExhaustiveDependencies: tries again every minute while the data is old
  useEffect(() => {
    if (isOld) void refetch()
  }, [isOld, now])

  const occurrences = data.occurrences.filter(({ endsAt }) => endsAt.getTime() > now)
  const isRunning = ({ startsAt }: OccurrenceView) => startsAt.getTime() <= now
  return {
    occurrences,
    current: occurrences.find(isRunning) ?? null,
    next: occurrences.find((occurrence) => !isRunning(occurrence)) ?? null,
  }
}
