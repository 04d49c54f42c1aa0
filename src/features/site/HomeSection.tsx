import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './HomeSection.module.css'

type HomeSectionProps = {
  id: string
  title: string
  more: { label: string; href: string }
  children: ReactNode
}

export function HomeSection({ id, title, more, children }: HomeSectionProps) {
  return (
    <section aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <a className={styles.more} href={more.href}>
          {more.label}
          <ArrowRight className="icon icon-s" />
        </a>
      </div>
      {children}
    </section>
  )
}
