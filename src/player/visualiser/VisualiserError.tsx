import { t } from '#src/i18n/t.ts'
import { ChannelMeters } from '#src/player/bar/ChannelMeters.tsx'
import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import styles from './VisualiserScreen.module.css'

/** Shows the levels of the sound where WebGL is missing. */
export function VisualiserError({ text, onRetry }: { text: string; onRetry: () => void }) {
  const isDrawable = text !== t('player.noWebgl')
  return (
    <div className={styles.idle}>
      <div className={cx(styles.message, !isDrawable && styles.plain)}>
        {!isDrawable && (
          <div className={styles.meters}>
            <ChannelMeters />
          </div>
        )}
        <Alert>{text}</Alert>
        <div className={styles.actions}>
          <Button onClick={onRetry}>{t('ui.tryAgain')}</Button>
          <ButtonLink href="/">{t('ui.home')}</ButtonLink>
        </div>
      </div>
    </div>
  )
}
