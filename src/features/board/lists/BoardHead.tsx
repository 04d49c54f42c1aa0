import { Archive, ArrowLeft, Grid2x2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { type BoardView, boardPath } from '#src/contract/board.ts'
import { feedPath } from '#src/contract/feeds.ts'
import { archivePath, catalogPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { Breadcrumbs, type Crumb } from '#src/ui/PageHeader.tsx'
import { Ruler } from '#src/ui/Ruler.tsx'
import { useBoardsCrumb } from '#src/ui/site.ts'
import styles from './BoardHead.module.css'

type ListHeadProps = {
  trail: Crumb[]
  /** at the top, the link back first */
  links: ReactNode
  title: ReactNode
  lead: ReactNode
  /** beside the title, such as a search field */
  tools?: ReactNode
  /** below the tools, such as the order of a list */
  options?: ReactNode
  /** moderators of the board */
  children?: ReactNode
}

/** Title, links and tools of a page with threads, in few lines. */
export function ListHead({ trail, links, title, lead, tools, options, children }: ListHeadProps) {
  return (
    <>
      <header className={styles.head}>
        <div className={styles.crumbs}>
          <Breadcrumbs trail={trail} />
        </div>
        <div className={styles.links}>{links}</div>
        <h1 className={styles.title}>{title}</h1>
        {tools && <div className={styles.tools}>{tools}</div>}
        <div className={`cluster ${styles.about}`}>
          <p className={`quiet ${styles.lead}`}>{lead}</p>
          {children}
        </div>
        {options && <div className={`cluster ${styles.options}`}>{options}</div>}
      </header>
      <Ruler />
    </>
  )
}

type BoardHeadProps = Omit<ListHeadProps, 'trail' | 'links'> & {
  board: BoardView
  /** the page of the board that is open */
  page: 'threads' | 'catalog' | 'archive'
}

/** The head of all pages of a board. */
export function BoardHead({ board, page, ...rest }: BoardHeadProps) {
  const boardsCrumb = useBoardsCrumb()
  const path = boardPath(board.id)
  const name = `/${board.id}/`
  const own = { threads: [], catalog: [{ label: t('board.catalog') }], archive: [{ label: t('site.archive') }] }[page]
  return (
    <ListHead
      {...rest}
      trail={[boardsCrumb, page === 'threads' ? { label: name } : { label: name, href: path }, ...own]}
      links={
        <>
          <BackLink href={page === 'threads' ? '/dtpchan' : path}>
            {page === 'threads' ? t('board.backToBoards') : t('board.backToBoard')}
          </BackLink>
          {page !== 'catalog' && (
            <ButtonLink variant="text" href={catalogPath(board.id)}>
              <Grid2x2 className="icon icon-s" />
              {t('board.catalog')}
            </ButtonLink>
          )}
          {page !== 'archive' && board.threadLimit > 0 && (
            <ButtonLink variant="text" href={archivePath(board.id)}>
              <Archive className="icon icon-s" />
              {t('site.archive')}
            </ButtonLink>
          )}
          {page === 'threads' && <FeedLink href={feedPath(path, 'atom')} />}
        </>
      }
    />
  )
}

export const BackLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <ButtonLink variant="text" href={href}>
    <ArrowLeft className="icon icon-s" />
    {children}
  </ButtonLink>
)
