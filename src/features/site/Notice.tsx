import type { ReactNode } from 'react'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './Notice.module.css'

type NoticeProps = {
  /** what kind of notice it is, in a word or two */
  label: string
  title: string
  hint: string
  action: ReactNode
}

/** A page with nothing to show but why, and one way on. */
export function Notice({ label, title, hint, action }: NoticeProps) {
  return (
    <div className={`wrap ${styles.notice}`}>
      <p className="label">{label}</p>
      <Ruler tall className={styles.ruler} />
      <h1>{title}</h1>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.action}>{action}</div>
    </div>
  )
}
