import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import styles from './VisualiserScreen.module.css'

export function VisualiserError({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className={styles.idle}>
      <div className={styles.message}>
        <Alert>{text}</Alert>
        <div className={styles.actions}>
          <Button onClick={onRetry}>Try again</Button>
          <ButtonLink href="/">Home</ButtonLink>
        </div>
      </div>
    </div>
  )
}
