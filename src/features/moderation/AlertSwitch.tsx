import { alertMessages } from '#src/contract/alerts.ts'
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
        Alerts
      </h2>
      <p>
        {isSupported
          ? 'This browser can notify you about new reports, held posts and raids, even when the site is closed.'
          : alertMessages.unsupported}
      </p>
      {error && (
        <Alert>{error instanceof AlertsRefusedError ? error.message : errorText(error, alertMessages.failed)}</Alert>
      )}
      {isSupported && (
        <Button busy={isPending} onClick={() => mutate(!isOn)}>
          {isOn ? 'Stop alerts' : 'Alert me'}
        </Button>
      )}
    </section>
  )
}
