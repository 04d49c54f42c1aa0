import { Archive, ArrowLeft, Grid2x2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { type BoardView, boardPath } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { archivePath, catalogPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { Breadcrumbs } from '#src/ui/Breadcrumbs.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'
import styles from './BoardHead.module.css'

type BoardHeadProps = {
  board: BoardView
  /** the page of the board that is open */
  page: 'threads' | 'catalog' | 'archive'
  title: ReactNode
  lead: ReactNode
  /** beside the title, such as a search field */
  tools?: ReactNode
  /** below the tools, such as the order of a list */
  options?: ReactNode
  /** moderators of the board */
  children?: ReactNode
}

/** Title, links and tools of all pages of a board. */
export function BoardHead({ board, page, title, lead, tools, options, children }: BoardHeadProps) {
  const boardsCrumb = useBoardsCrumb()
  const path = boardPath(board.id)
  const name = `/${board.id}/`
  const own = { threads: [], catalog: [{ label: t('board.catalog') }], archive: [{ label: t('board.archive') }] }[page]
  return (
    <>
      <header className={styles.head}>
        <div className={styles.crumbs}>
          <Breadcrumbs
            trail={[boardsCrumb, page === 'threads' ? { label: name } : { label: name, href: path }, ...own]}
          />
        </div>
        <div className={styles.links}>
          <ButtonLink variant="text" href={page === 'threads' ? '/dtpchan' : path}>
            <ArrowLeft className="icon icon-s" />
            {page === 'threads' ? t('board.backToBoards') : t('board.backToBoard')}
          </ButtonLink>
          {page !== 'catalog' && (
            <ButtonLink variant="text" href={catalogPath(board.id)}>
              <Grid2x2 className="icon icon-s" />
              {t('board.catalog')}
            </ButtonLink>
          )}
          {page !== 'archive' && board.threadLimit > 0 && (
            <ButtonLink variant="text" href={archivePath(board.id)}>
              <Archive className="icon icon-s" />
              {t('board.archive')}
            </ButtonLink>
          )}
          {page === 'threads' && <FeedLink href={feedPath(path, 'atom')} />}
        </div>
        <h1 className={styles.title}>{title}</h1>
        {tools && <div className={styles.tools}>{tools}</div>}
        <div className={styles.about}>
          <p className={styles.lead}>{lead}</p>
          {children}
        </div>
        {options && <div className={styles.options}>{options}</div>}
      </header>
      <Ruler />
    </>
  )
}
