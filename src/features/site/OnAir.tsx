import { AudioWaveform, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './OnAir.module.css'

type OnAirProps = {
  /** something is on air */
  isOnline: boolean
  title: string
  /** under the title: the artist, or why there is none */
  byline: string
  /** name of who is live on air, or null */
  host: string | null
  /** null where nobody counts */
  listeners: number | null
  /** how the connection is doing, said instead of the number of listeners; empty while all is well */
  status: string
  isOn: boolean
  onToggle: () => void
  /** pieces of the player, which a page has at hand: the picture, the badge of a live show, the level meters */
  art: ReactNode
  badge: ReactNode
  /** null while there is nothing to measure */
  meters: ReactNode
}

/** The console on Home: what the radio plays at this moment, and the key that turns it on. */
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
      <div className={styles.meters}>{meters ?? <Rest />}</div>
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

/** The meters with nothing to measure: two rulers, as tall and wide as they. */
function Rest() {
  return (
    <div className={styles.rest} aria-hidden="true">
      <span className="data">L</span>
      <Ruler />
      <span className="data">R</span>
      <Ruler />
    </div>
  )
}
