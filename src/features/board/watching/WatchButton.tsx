import { Bell, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ThreadHead } from '#src/contract/thread.ts'
import { lastReadId } from '#src/features/board/reading/followReading.ts'
import { isFiltersDialogOpen } from '#src/features/board/reading/readerFilterStore.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { toggleWatched, watching } from './watchStore.ts'

/** id of the element in the thread's page that the button is rendered in */
const PLACE = 'watch'

/**
 * Watches a thread: the menu in the top bar then counts its new posts. Beside it, the filters of the reader. The code
 * loads when the page is idle.
 */
export function WatchButton({ thread }: { thread: ThreadHead }) {
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => setPlace(document.getElementById(PLACE)), [])
  const isWatched = watching.useValue().threads.some(({ id, isWatched }) => id === thread.id && isWatched)
  if (!place) return null
  return createPortal(
    <>
      <Button variant="text" onClick={() => isFiltersDialogOpen.set(true)}>
        <SlidersHorizontal className="icon icon-s" />
        {t('board.filters')}
      </Button>
      <Button variant="text" aria-pressed={isWatched} onClick={() => toggleWatched(thread, lastReadId(thread.id))}>
        <Bell className="icon icon-s" />
        {isWatched ? t('board.watching') : t('board.watch')}
      </Button>
    </>,
    place,
  )
}
