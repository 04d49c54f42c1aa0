import { Music, Play } from 'lucide-react'
import { useEffect } from 'react'
import { Ruler } from '#src/ui/Ruler.tsx'
import { toast } from '#src/ui/Toast.tsx'
import styles from './PlayerBar.module.css'
import { loadPlayer, setPlayer, usePlayer } from './store.ts'
import { Volume } from './Volume.tsx'

/** The radio's console at the bottom of every page. */
export function PlayerBar() {
  const { volume } = usePlayer()

  useEffect(loadPlayer, [])

  return (
    <section className={`console ${styles.player}`} aria-label="Radio player">
      <Ruler className={styles.strip} />
      <div className={`wrap ${styles.row}`}>
        <div className={styles.track}>
          <span className={styles.note}>
            <Music className="icon" />
          </span>
          <span className={styles.title}>No track playing</span>
        </div>
        <button
          type="button"
          className={styles.playKey}
          aria-label="Play"
          title="Play"
          onClick={() => toast('The radio is not on air yet.')}
        >
          <Play className="icon" />
        </button>
        <Ruler tall className={styles.signal} />
        <div className={styles.volume}>
          <Volume value={volume} onChange={(value) => setPlayer({ volume: value })} />
        </div>
      </div>
    </section>
  )
}
