import { t } from '#src/i18n/t.ts'
import { AlertsRefusedError } from '#src/lib/pushSubscription.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import styles from './AlertSwitch.module.css'
import { useAlertSwitch, usePushAlerts } from './usePushAlerts.ts'

/** Lets moderators turn on alerts of this browser. Shows nothing to other users. */
export function AlertSwitch() {
  const { data } = usePushAlerts()
  const { mutate, isPending, error } = useAlertSwitch(data?.publicKey)
  if (!data) return null
  const { isSupported, isOn } = data
  return (
    <section className={`panel ${styles.section}`} aria-labelledby="alerts">
      <h2 className={styles.title} id="alerts">
        {t('moderation.alerts')}
      </h2>
      <p>{isSupported ? t('moderation.alertsHint') : t('moderation.alertsUnsupported')}</p>
      {error && (
        <Alert>
          {error instanceof AlertsRefusedError ? error.message : errorText(error, t('moderation.alertsFailed'))}
        </Alert>
      )}
      {isSupported && (
        <Button busy={isPending} onClick={() => mutate(!isOn)}>
          {isOn ? t('moderation.stopAlerts') : t('moderation.alertMe')}
        </Button>
      )}
    </section>
  )
}
