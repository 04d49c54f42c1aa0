import { AudioWaveform, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './OnAir.module.css'

type OnAirProps = {
  isOnline: boolean
  title: string
  /** under the title: the artist, or why the radio is silent */
  byline: string
  /** name of the live streamer */
  host: string | null
  /** null if unknown */
  listeners: number | null
  /** connection status, shown instead of the listeners; empty while it is good */
  status: string
  isOn: boolean
  onToggle: () => void
  /** parts of the player, passed down by the page: features cannot import it */
  art: ReactNode
  badge: ReactNode
  /** null while the radio is off */
  meters: ReactNode
}

export function OnAir({
  isOnline,
  title,
  byline,
  host,
  listeners,
  status,
  isOn,
  onToggle,
  art,
  badge,
  meters,
}: OnAirProps) {
  const Icon = isOn ? Pause : Play
  return (
    <section className={`console ${styles.deck}`} id="on-air" aria-labelledby="on-air-title">
      <div className={styles.top}>
        <h2 className="label" id="on-air-title">
          {isOnline ? 'On air now' : 'Radio'}
        </h2>
        {badge}
      </div>
      <div className={styles.now}>
        {art}
        <div>
          <p className={styles.title} dir="auto">
            {title}
          </p>
          {byline && (
            <p className={styles.byline} dir="auto">
              {byline}
            </p>
          )}
          {host && (
            <p className={`data ${styles.host}`}>
              hosted by <Nick name={host} />
            </p>
          )}
        </div>
      </div>
      <div className={styles.meters}>{meters ?? <MetersPlaceholder />}</div>
      <div className={styles.actions}>
        <Button data-play="" onClick={onToggle}>
          <Icon className="icon" />
          {isOn ? 'Pause' : 'Play'}
        </Button>
        <ButtonLink href="/visualizer">
          <AudioWaveform className="icon" />
          Visualiser
        </ButtonLink>
        <span className={`data ${styles.listeners}`}>{status || (listeners !== null && `${listeners} listening`)}</span>
      </div>
    </section>
  )
}

function MetersPlaceholder() {
  return (
    <div className={styles.rest} aria-hidden="true">
      <span className="data">L</span>
      <Ruler />
      <span className="data">R</span>
      <Ruler />
    </div>
  )
}
