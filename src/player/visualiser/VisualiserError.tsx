import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import styles from './VisualiserScreen.module.css'

export function VisualiserError({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className={styles.idle}>
      <div className={styles.message}>
        <Alert>{text}</Alert>
        <div className={styles.actions}>
          <Button onClick={onRetry}>{t('ui.tryAgain')}</Button>
          <ButtonLink href="/">{t('ui.home')}</ButtonLink>
        </div>
      </div>
    </div>
  )
}
