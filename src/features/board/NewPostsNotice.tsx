import { ArrowDown } from 'lucide-react'
import { Button } from '#src/ui/Button.tsx'
import { focusOn } from '#src/ui/focus.ts'
import styles from './NewPostsNotice.module.css'

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

type NewPostsNoticeProps = { below: readonly number[]; announcement: string }

/** Tells of posts that came while the page was shown: aloud to screen readers, with a key to those further down. */
export function NewPostsNotice({ below, announcement }: NewPostsNoticeProps) {
  const [first] = below

  function show() {
    const post = document.getElementById(`p${first}`)
    focusOn(post)
    post?.scrollIntoView({ block: 'start', behavior: calm() ? 'auto' : 'smooth' })
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {first !== undefined && (
        <Button variant="primary" size="small" className={styles.pill} onClick={show}>
          <ArrowDown className="icon icon-s" />
          {below.length} new
        </Button>
      )}
    </>
  )
}
