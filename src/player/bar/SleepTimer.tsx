import { Moon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '#src/i18n/formatText.ts'
import { rich, t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { setPlayer, usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import styles from './SheetFooter.module.css'
import { useRestoreFocus } from './useRestoreFocus.ts'

const MINUTES = [15, 30, 60, 90]
const MINUTE_UNIT = { style: 'unit', unit: 'minute' } as const

export function SleepTimer() {
  const { sleepAt, status } = usePlayer()
  const timer = useRef<HTMLFieldSetElement>(null)
  useRestoreFocus(timer, 'button', sleepAt !== null)

  return (
    <fieldset className={`cluster small ${styles.timer}`} ref={timer}>
      <legend className="visually-hidden">{t('player.sleepTimer')}</legend>
      <Moon className="icon" />
      {sleepAt === null ? (
        <>
          <span aria-hidden="true">{t('player.sleepIn')}</span>
          <span className={styles.choices}>
            {MINUTES.map((minutes) => (
              <button
                key={minutes}
                type="button"
                className={styles.choice}
                disabled={status === 'paused'}
                onClick={() => setPlayer({ sleepAt: Date.now() + minutes * 60_000 })}
              >
                {formatNumber(minutes, MINUTE_UNIT)}
              </button>
            ))}
          </span>
        </>
      ) : (
        <>
          <span>
            <RemainingTime until={sleepAt} />
          </span>
          <Button variant="text" onClick={() => setPlayer({ sleepAt: null })}>
            {t('ui.cancel')}
          </Button>
        </>
      )}
    </fieldset>
  )
}

function RemainingTime({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])

  return rich('player.sleepsIn', {
    time: formatClockTime(Math.max(0, Math.ceil((until - now) / 1000))),
    clock: (text) => <span className={styles.left}>{text}</span>,
  })
}
