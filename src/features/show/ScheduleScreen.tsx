import { Archive, CalendarPlus, Mic } from 'lucide-react'
import type { ReactNode } from 'react'
import { CALENDAR_PATH, GO_LIVE_PATH, type OccurrenceView, showMessages } from '#src/contract/show.ts'
import type { AuthUser } from '#src/contract/user.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { groupByDay } from './groupByDay.ts'
import { ScheduleDay } from './ScheduleDay.tsx'
import styles from './ScheduleScreen.module.css'
import { useTimeFormat } from './timeFormat.ts'
import { type ScheduleData, useSchedule } from './useSchedule.ts'

type Upcoming = { current: OccurrenceView | null; next: OccurrenceView | null }

type ScheduleScreenProps = {
  initial: ScheduleData
  siteUrl: string
  user: AuthUser | null
  renderDeck: (upcoming: Upcoming) => ReactNode
}

export function ScheduleScreen({ initial, siteUrl, user, renderDeck }: ScheduleScreenProps) {
  const { occurrences, current, next } = useSchedule(initial)
  const format = useTimeFormat()
  // Uses the visitor's origin after hydration, because a site can have several origins.
  const origin = useHydrated() ? location.origin : siteUrl
  const ScheduleEditor = useLazyComponent(
    () => import('./ScheduleEditor.tsx').then((module) => module.ScheduleEditor),
    user !== null,
  )

  return (
    <div className="wrap">
      <PageHeader
        title="Radio schedule"
        lead="Live shows by people from our channels. Between them, the station plays its own programme."
        action={
          <div className={styles.actions}>
            {/* Calendars subscribe to this scheme. A link to the file itself would be imported only once. */}
            <ButtonLink href={`${origin.replace(/^https?:/, 'webcal:')}${CALENDAR_PATH}`}>
              <CalendarPlus className="icon" />
              Subscribe
            </ButtonLink>
            <ButtonLink href="/archive">
              <Archive className="icon" />
              Archive
            </ButtonLink>
            {user && (
              <ButtonLink href={GO_LIVE_PATH}>
                <Mic className="icon" />
                Go live
              </ButtonLink>
            )}
          </div>
        }
      />
      {renderDeck({ current, next })}
      <section className={styles.week} aria-labelledby="week-title">
        <div className={styles.head}>
          <h2 id="week-title">The next seven days</h2>
          <p className="data">
            Times in {format.zone.replaceAll('_', ' ')} · <a href={CALENDAR_PATH}>iCalendar file</a>
          </p>
        </div>
        {occurrences.length === 0 ? (
          <EmptyState action={<ButtonLink href="/archive">Listen to past shows</ButtonLink>}>
            {showMessages.none}
          </EmptyState>
        ) : (
          groupByDay(occurrences, format).map((day) => <ScheduleDay key={day.date} day={day} current={current} />)
        )}
      </section>
      {user && ScheduleEditor && <ScheduleEditor user={user} />}
    </div>
  )
}
