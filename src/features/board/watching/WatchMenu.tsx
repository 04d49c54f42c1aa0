import { Bell } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { t } from '#src/i18n/t.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { followThreads } from './followThreads.ts'
import styles from './WatchMenu.module.css'
import { WatchPanel } from './WatchPanel.tsx'
import { countUnread, countUnseenReplies } from './watchState.ts'
import { watching } from './watchStore.ts'

/** A button with the number of news, which opens the list of replies and watched threads. */
export function WatchMenu() {
  const state = watching.useValue()
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useEffect(followThreads, [])

  const replies = countUnseenReplies(state)
  const threads = state.threads.filter((thread) => thread.isWatched && countUnread(thread) > 0).length

  return (
    <div className={styles.menu}>
      <IconButton native icon={Bell} label={t('board.watchMenu', { replies, threads })} popoverTarget={id} />
      {replies + threads > 0 && (
        <span className={styles.badge} aria-hidden="true">
          {Math.min(replies + threads, 99)}
        </span>
      )}
      <section
        id={id}
        ref={panel}
        className={`pop ${styles.panel}`}
        popover="auto"
        aria-label={t('board.watchedThreads')}
      >
        <WatchPanel state={state} onLeave={() => panel.current?.hidePopover?.()} />
      </section>
    </div>
  )
}
