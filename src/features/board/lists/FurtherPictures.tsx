import { rich } from '#src/i18n/t.ts'
import styles from './FurtherPictures.module.css'

/** Says how many images a post has besides the shown one. */
export const FurtherPictures = ({ count }: { count: number }) => (
  <span className={styles.further}>
    {rich('board.furtherImages', { count, hidden: (text) => <span className="visually-hidden">{text}</span> })}
  </span>
)
