import { X } from 'lucide-react'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { request, selection } from './controlStores.ts'
import styles from './PostControls.module.css'

/** Offers what a moderator can do with the posters of the selected posts. */
export function SelectionBar() {
  const posts = selection.useValue()
  if (!posts) return null
  return (
    <section className={styles.bar} aria-label="Selected posts">
      <p role="status">{posts.length} selected</p>
      <Button
        size="small"
        variant="danger"
        disabled={posts.length === 0}
        onClick={() => request.set({ kind: 'posters', posts })}
      >
        Everything by them…
      </Button>
      <IconButton icon={X} label="Cancel" onClick={() => selection.set(null)} />
    </section>
  )
}
