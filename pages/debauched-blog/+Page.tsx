import { Newspaper } from 'lucide-react'
import { NEWS_PATH } from '#src/contract/news.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Ruler } from '#src/ui/Ruler.tsx'
import styles from './page.module.css'

export default function Page() {
  return (
    <div className={cx('wrap', styles.notice)}>
      <p className="label">Coming Soon</p>
      <Ruler tall className={styles.ruler} />
      <h1>Debauched Blog</h1>
      <p className={styles.line}>We would rather post late than post filler. Until then, read what others wrote.</p>
      <ButtonLink variant="primary" href={NEWS_PATH}>
        <Newspaper className="icon" />
        Today in Tech
      </ButtonLink>
    </div>
  )
}
