import styles from './EntropyMeter.module.css'

/** The meter is full at this many bits: such a password cannot be brute-forced. */
const MAX_BITS = 128
const HEIGHT = 24
const UNLIT_HEIGHT = 8

/** Draws ticks of the same width on every screen, and highlights the share of them that the password reaches. */
export function EntropyMeter({ bits }: { bits: number }) {
  return (
    <div className={styles.meter}>
      <svg shapeRendering="crispEdges" aria-hidden="true">
        <pattern id="entropy-rest" width="4" height={HEIGHT} patternUnits="userSpaceOnUse">
          <rect className={styles.rest} y={HEIGHT - UNLIT_HEIGHT} width="2" height={UNLIT_HEIGHT} />
        </pattern>
        <pattern id="entropy-lit" width="4" height={HEIGHT} patternUnits="userSpaceOnUse">
          <rect className={styles.lit} width="2" height={HEIGHT} />
        </pattern>
        <rect width="100%" height={HEIGHT} fill="url(#entropy-rest)" />
        <rect width={`${Math.min(100, (bits / MAX_BITS) * 100)}%`} height={HEIGHT} fill="url(#entropy-lit)" />
      </svg>
      <p className={styles.scale} aria-hidden="true">
        {[0, 32, 64, 96, 128].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
    </div>
  )
}
