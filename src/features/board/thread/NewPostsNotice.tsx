import { ArrowDown } from 'lucide-react'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import styles from './ThreadScreen.module.css'

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Shows how many new posts are below the visible part, and scrolls to the first. */
export function NewPostsNotice({ belowIds }: { belowIds: readonly number[] }) {
  const [first] = belowIds

  function show() {
    const post = document.getElementById(`p${first}`)
    focusOn(post)
    post?.scrollIntoView({ block: 'start', behavior: prefersReducedMotion() ? 'auto' : 'smooth' })
  }

  return (
    first !== undefined && (
      <Button variant="primary" size="small" className={styles.pill} onClick={show}>
        <ArrowDown className="icon icon-s" />
        {t('board.newCount', { count: belowIds.length })}
      </Button>
    )
  )
}
