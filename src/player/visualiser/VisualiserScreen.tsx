import { Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { playLive } from '#src/player/engine.ts'
import { usePlayer } from '#src/player/store.ts'
import { Button } from '#src/ui/Button.tsx'
import { ActiveVisualiser, Still } from './ActiveVisualiser.tsx'
import { useMediaQuery, usePageVisible } from './useBrowserState.ts'
import styles from './VisualiserScreen.module.css'

/** The consent to motion lasts until the page is reloaded. */
let motionConsent = false

export function VisualiserScreen() {
  const { status } = usePlayer()
  const visible = usePageVisible()
  const wantsLessMotion = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [hasConsented, setHasConsented] = useState(motionConsent)
  const [hasStarted, setHasStarted] = useState(false)

  // Pausing ends the visualiser. A station change or a lost connection does not.
  if (status === 'playing' && !hasStarted) setHasStarted(true)
  if (status === 'paused' && hasStarted) setHasStarted(false)

  const needsConsent = hasStarted && wantsLessMotion && !hasConsented

  function giveConsent() {
    motionConsent = true
    setHasConsented(true)
  }

  return (
    <div className={`console ${styles.screen}`}>
      {/* One place for both, so that the focus stays on the button. */}
      {hasStarted ? (
        needsConsent && (
          <IdleScreen text={t('player.motion')}>
            <Button variant="primary" size="big" onClick={giveConsent}>
              {t('player.showAnyway')}
            </Button>
          </IdleScreen>
        )
      ) : (
        <IdleScreen text={t('player.startForVisualiser')} hint={t('player.flashes')}>
          <Button variant="primary" size="big" busy={status === 'starting'} onClick={() => playLive()}>
            <Play className="icon" />
            {t('player.playRadio')}
          </Button>
        </IdleScreen>
      )}
      {hasStarted && !needsConsent && (
        <>
          <h1 className="visually-hidden">{t('site.visualiser')}</h1>
          <ActiveVisualiser isDrawing={status === 'playing' && visible} />
        </>
      )}
    </div>
  )
}

function IdleScreen({ text, hint, children }: { text: string; hint?: string; children: ReactNode }) {
  return (
    <div className={styles.idle}>
      <Still />
      <div className={styles.message}>
        <h1 className="label">{t('site.visualiser')}</h1>
        <p className={`h3 ${styles.text}`}>{text}</p>
        {children}
        {hint && <p className="hint">{hint}</p>}
      </div>
    </div>
  )
}
