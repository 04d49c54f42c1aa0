import { ArrowDown } from 'lucide-react'
import { Button } from '#src/ui/Button.tsx'
import { focusOn } from '#src/ui/focus.ts'
import styles from './NewPostsNotice.module.css'

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

type NewPostsNoticeProps = { belowIds: readonly number[]; announcement: string }

export function NewPostsNotice({ belowIds, announcement }: NewPostsNoticeProps) {
  const [first] = belowIds

  function show() {
    const post = document.getElementById(`p${first}`)
    focusOn(post)
    post?.scrollIntoView({ block: 'start', behavior: prefersReducedMotion() ? 'auto' : 'smooth' })
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {first !== undefined && (
        <Button variant="primary" size="small" className={styles.pill} onClick={show}>
          <ArrowDown className="icon icon-s" />
          {belowIds.length} new
        </Button>
      )}
    </>
  )
}
