import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from './Button.tsx'
import styles from './Pagination.module.css'

type PaginationProps = {
  previous?: string | undefined
  next?: string | undefined
  previousLabel?: string
  nextLabel?: string
  jump?: ReactNode
  /** for example 'Page 2 of 7' */
  children?: ReactNode
}

/** Its keys are new on each page: a link that keeps the focus would keep the focus off the new page's heading. */
export function Pagination(props: PaginationProps) {
  const { previous, next, previousLabel = t('ui.previous'), nextLabel = t('ui.next'), jump, children } = props
  if (!previous && !next) return null
  return (
    <nav className={`cluster ${styles.pager}`} aria-label={t('ui.pages')}>
      {children && <p className="data">{children}</p>}
      {jump}
      <div className={styles.keys}>
        {previous && (
          <ButtonLink key={previous} size="small" href={previous} rel="prev">
            <ArrowLeft className="icon icon-s" />
            {previousLabel}
          </ButtonLink>
        )}
        {next && (
          <ButtonLink key={next} size="small" href={next} rel="next">
            {nextLabel}
            <ArrowRight className="icon icon-s" />
          </ButtonLink>
        )}
      </div>
    </nav>
  )
}
