import type { BoardView } from '#src/contract/board.ts'
import styles from './BoardTitle.module.css'

export function BoardTitle({ board }: { board: BoardView }) {
  return (
    <>
      <span className={styles.slug}>/{board.id}/</span> <span className={styles.dash}>-</span> {board.name}
    </>
  )
}
