import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { AlertsRefusedError, hasPush } from '#src/lib/pushSubscription.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { loadCode } from '#src/ui/loadCode.ts'
import styles from './WatchMenu.module.css'

const importAlerts = () => import('./watchAlerts.ts')

/** Turns alerts by Web Push on and off. Shows nothing in browsers without them. */
export function WatchAlerts({ isOn }: { isOn: boolean }) {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  if (!hasPush()) return null

  async function change(on: boolean) {
    setIsBusy(true)
    setError(null)
    const loaded = await loadCode(importAlerts)
    try {
      await (on ? loaded?.turnOnAlerts() : loaded?.turnOffAlerts())
    } catch (reason) {
      setError(reason instanceof AlertsRefusedError ? reason.message : errorText(reason, t('board.alertsFailed')))
    }
    setIsBusy(false)
  }

  return (
    <>
      <label className={styles.choice}>
        <Checkbox checked={isOn} aria-busy={isBusy} onChange={({ target }) => isBusy || void change(target.checked)} />
        <span>
          {t('board.alertMe')}
          <span className={styles.hint}>{t('board.alertHint')}</span>
        </span>
      </label>
      {error && <Alert>{error}</Alert>}
    </>
  )
}
