import { Trash2 } from 'lucide-react'
import type { BoardView } from '#src/contract/board.ts'
import { boardPath } from '#src/contract/boardPaths.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import styles from './BoardRow.module.css'
import { Moderators } from './Moderators.tsx'
import postList from './postList.module.css'

export function BoardRow({ board, onDelete }: { board: BoardView; onDelete?: () => void }) {
  return (
    <article className={postList.post} aria-labelledby={`board-${board.id}`}>
      <div className={postList.gutter}>
        <p className={styles.slug}>/{board.id}/</p>
      </div>
      <div className={cx(postList.body, styles.body)}>
        <div>
          <h2 className={styles.name} id={`board-${board.id}`}>
            <a href={boardPath(board.id)}>{board.name}</a>
          </h2>
          <p className={styles.description}>{board.description}</p>
          <Moderators emails={board.moderators} />
        </div>
        <div className={styles.actions}>
          {onDelete && (
            <Button variant="text" title={`Delete /${board.id}/`} onClick={onDelete}>
              <Trash2 className="icon icon-s" />
              Delete
            </Button>
          )}
          <ButtonLink href={boardPath(board.id)} aria-describedby={`board-${board.id}`}>
            View Board
          </ButtonLink>
        </div>
      </div>
    </article>
  )
}
