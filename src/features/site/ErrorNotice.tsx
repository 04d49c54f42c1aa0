import type { ReactNode } from 'react'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './ErrorNotice.module.css'

type ErrorNoticeProps = { code: number; title: string; hint: string; action: ReactNode }

/** A page that could not be shown: its code, what is the matter, and one way on. */
export function ErrorNotice({ code, title, hint, action }: ErrorNoticeProps) {
  return (
    <div className={`wrap ${styles.notice}`}>
      <p className="label">Error {code}</p>
      <Ruler tall className={styles.ruler} />
      <h1>{title}</h1>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.action}>{action}</div>
    </div>
  )
}
