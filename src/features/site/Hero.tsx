import { type ReactNode, useEffect, useRef } from 'react'
import { ACTIVITY_SLOT_MS, type DayActivity } from '#src/contract/board.ts'
import { rich, t } from '#src/i18n/t.ts'
import { utcDateTime } from '#src/lib/formatTime.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useSite } from '#src/ui/site.ts'
import { TickLevels } from '#src/ui/TickLevels.tsx'
import { useNow } from '#src/ui/useNow.ts'
import styles from './Hero.module.css'
import { JoinChat } from './JoinChat.tsx'

export function Hero({ deck, activity }: { deck: ReactNode; activity: DayActivity | null }) {
  const { name, tagline, description } = useSite()
  return (
    <section className={styles.hero}>
      <div className={`wrap ${styles.grid}`}>
        <div>
          <h1>{rich('site.welcome', { name, tagline, span: (text) => <span>{text}</span> })}</h1>
          <p className={styles.lead}>{description}</p>
          <div className={`cluster ${styles.actions}`}>
            <JoinChat />
            <ButtonLink size="big" href="/about">
              {rich('site.learnMore', { name, hidden: (text) => <span className="visually-hidden">{text}</span> })}
            </ButtonLink>
          </div>
        </div>
        {deck}
      </div>
      <DayDial activity={activity} />
    </section>
  )
}

const DAY_MS = 86_400_000
const DAY_SLOTS = DAY_MS / ACTIVITY_SLOT_MS
const HOUR_SLOTS = 6
/** After this fraction of the day, the label moves to the left of the needle to stay on the screen. */
const LATE_DAY_FRACTION = 0.7
const hourLabels = ['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00']

/** Shows the posts of this UTC day. `activity` is null if counting them failed. */
function DayDial({ activity }: { activity: DayActivity | null }) {
  const needle = useRef<HTMLSpanElement>(null)
  const now = useNow()
  // The end of the slot, so that the needle does not cover the level of the newest posts.
  const dayFraction = now === null ? null : Math.ceil((now % DAY_MS) / ACTIVITY_SLOT_MS) / DAY_SLOTS

  useEffect(() => {
    if (dayFraction !== null) needle.current?.style.setProperty('--now', `${dayFraction * 100}%`)
  }, [dayFraction])

  return (
    <div className={styles.dial}>
      <div className="wrap">
        <p className="data">{activity && describe(activity)}</p>
      </div>
      <div aria-hidden="true">
        <div className={styles.track}>
          <span className={styles.rest} />
          {activity && (
            <TickLevels className={styles.levels} counts={activity.counts} slots={DAY_SLOTS} recent={HOUR_SLOTS} />
          )}
          {now !== null && dayFraction !== null && (
            <span className={styles.needle} ref={needle} data-late={dayFraction > LATE_DAY_FRACTION || undefined}>
              <span className="data">{utcDateTime(new Date(now)).slice(-5)} UTC</span>
            </span>
          )}
        </div>
        <ol className={styles.hours}>
          {hourLabels.map((hour) => (
            <li key={hour}>{hour}</li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function describe({ counts, lastHour }: DayActivity): string {
  const today = counts.reduce((sum, count) => sum + count, 0)
  if (today + lastHour === 0) return t('site.noPostsToday')
  return t('site.postsToday', { today, lastHour })
}
