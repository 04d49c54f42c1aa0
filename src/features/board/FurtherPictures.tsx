import styles from './FurtherPictures.module.css'

/** Says how many images a post has besides the shown one. */
export const FurtherPictures = ({ count }: { count: number }) => (
  <span className={styles.further}>
    +{count}
    <span className="visually-hidden"> more {count === 1 ? 'image' : 'images'}</span>
  </span>
)
