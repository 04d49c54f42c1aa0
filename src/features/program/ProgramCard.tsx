import { ArrowUpRight, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProgramView } from '#src/contract/program.ts'
import { rich, t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import { describeCategory } from './categories.ts'
import styles from './ProgramCard.module.css'

function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).host.replace(/^www\./, '') : link
}

type ProgramCardProps = { program: ProgramView; onEdit?: () => void; onDelete?: () => void }

/** `onEdit` and `onDelete` are set only for logged-in users. */
export function ProgramCard({ program, onEdit, onDelete }: ProgramCardProps) {
  const { icon: Icon, hue, name: categoryName } = describeCategory(program.category)
  const nameId = `program-${program.id}`
  return (
    <article className={`panel ${styles.card}`} data-hue={hue} aria-labelledby={nameId}>
      <header className={`cluster ${styles.head}`}>
        <h3 className={styles.name} id={nameId} translate="no">
          {program.name}
        </h3>
        <p className={styles.category}>
          <Icon className="icon" />
          <span>{categoryName()}</span>
        </p>
        {onEdit && onDelete && (
          <div className={styles.actions}>
            <IconButton icon={Pencil} label={t('archive.edit', { name: program.name })} onClick={onEdit} />
            <IconButton icon={Trash2} label={t('program.delete', { name: program.name })} danger onClick={onDelete} />
          </div>
        )}
      </header>
      <p className={cx('data', styles.host)} translate="no">
        {hostOf(program.link)}
      </p>
      <p className={styles.description}>{program.description}</p>
      <footer className={`cluster ${styles.foot}`}>
        <p className={`hint ${styles.by}`}>
          {rich('program.addedByName', { name: () => <Nick name={program.addedBy} /> })}
          {' · '}
          <ReportLink path={`/programs-we-love#${nameId}`} className={styles.report} />
        </p>
        <ButtonLink
          variant="text"
          className={styles.visit}
          href={program.link}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          aria-describedby={nameId}
        >
          {t('program.visit')}
          <ArrowUpRight className="icon icon-s" />
          <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
        </ButtonLink>
      </footer>
    </article>
  )
}

type CategoryGroupProps = { category: string; count: number; children: ReactNode }

export function CategoryGroup({ category, count, children }: CategoryGroupProps) {
  const { icon: Icon, hue, name } = describeCategory(category)
  return (
    <section className={styles.group} data-hue={hue} aria-label={name()}>
      <h2 className={styles.groupName}>
        <Icon className="icon" />
        {name()} <span className="data">{count}</span>
      </h2>
      <div className={styles.cards}>{children}</div>
    </section>
  )
}
