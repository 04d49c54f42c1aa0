import type { ReactNode } from 'react'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './errorPage.module.css'

type NoticeProps = {
  role?: 'alert'
  label: string
  title: string
  hint: string
  action: ReactNode
}

export function Notice({ role, label, title, hint, action }: NoticeProps) {
  return (
    <div className={`wrap ${styles.notice}`} role={role}>
      <p className="label">{label}</p>
      <Ruler tall className={styles.ruler} />
      <h1>{title}</h1>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.action}>{action}</div>
    </div>
  )
}
