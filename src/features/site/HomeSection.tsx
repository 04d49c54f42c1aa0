import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '#src/ui/Button.tsx'
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
      <div className={`spread ${styles.head}`}>
        <h2 className="h3" id={id}>
          {title}
        </h2>
        <ButtonLink variant="text" href={more.href}>
          {more.label}
          <ArrowRight className="icon icon-s" />
        </ButtonLink>
      </div>
      {children}
    </section>
  )
}
