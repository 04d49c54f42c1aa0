import { cx } from './cx.ts'
import styles from './Ruler.module.css'

export function Ruler({ tall, className }: { tall?: boolean; className?: string }) {
  return <span className={cx(styles.ruler, tall && styles.tall, className)} aria-hidden="true" />
}
