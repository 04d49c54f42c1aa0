import styles from './EntropyMeter.module.css'

/** The meter is full at this many bits: such a password cannot be brute-forced. */
const MAX_BITS = 128
const TICK_SPACING = 4
const LIT_HEIGHT = 24
const UNLIT_HEIGHT = 8

const tickPath = (from: number, to: number, height: number) =>
  Array.from(
    { length: to - from },
    (_, index) => `M${(from + index) * TICK_SPACING} ${LIT_HEIGHT}v${-height}h2v${height}z`,
  ).join('')

export function EntropyMeter({ bits }: { bits: number }) {
  const lit = Math.min(MAX_BITS, Math.floor(bits))
  return (
    <div className={styles.meter}>
      <svg
        viewBox={`0 0 ${MAX_BITS * TICK_SPACING - 2} ${LIT_HEIGHT}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        <path className={styles.rest} d={tickPath(lit, MAX_BITS, UNLIT_HEIGHT)} />
        <path className={styles.lit} d={tickPath(0, lit, LIT_HEIGHT)} />
      </svg>
      <p className={styles.scale} aria-hidden="true">
        {[0, 32, 64, 96, 128].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
    </div>
  )
}
