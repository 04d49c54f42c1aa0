import styles from './EntropyMeter.module.css'

/** Bits of a key that cannot be brute-forced. */
const SCALE = 128
const PITCH = 4
const HEIGHT = 24
const REST = 8

const ticks = (from: number, to: number, height: number) =>
  Array.from({ length: to - from }, (_, index) => `M${(from + index) * PITCH} ${HEIGHT}v${-height}h2v${height}z`).join(
    '',
  )

export function EntropyMeter({ bits }: { bits: number }) {
  const lit = Math.min(SCALE, Math.floor(bits))
  return (
    <div className={styles.meter}>
      <svg
        viewBox={`0 0 ${SCALE * PITCH - 2} ${HEIGHT}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        <path className={styles.rest} d={ticks(lit, SCALE, REST)} />
        <path className={styles.lit} d={ticks(0, lit, HEIGHT)} />
      </svg>
      <p className={styles.scale} aria-hidden="true">
        <span>0</span>
        <span>32</span>
        <span>64</span>
        <span>96</span>
        <span>128</span>
      </p>
    </div>
  )
}
