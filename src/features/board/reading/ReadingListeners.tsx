import { type ComponentType, useEffect, useState } from 'react'
import { OWN_POSTS_KEY, WATCHING_KEY } from '#src/contract/post.ts'
import type { ThreadHead } from '#src/contract/thread.ts'
import { findPost, idOf, listImages, type PostImage } from '#src/features/board/post/postElements.ts'
import { WatchButton } from '#src/features/board/watching/WatchButton.tsx'
import { QuoteButton } from '#src/features/board/writing/QuoteButton.tsx'
import { quoteSelection } from '#src/features/board/writing/selectedQuote.ts'
import type { WritePost } from '#src/features/board/writing/usePostDialog.tsx'
import { t } from '#src/i18n/t.ts'
import { useIsStored } from '#src/lib/storedStore.ts'
import { toast } from '#src/ui/Toast.tsx'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { BOARD_KEYS, useBoardKeys } from './boardKeys.ts'
import { EnlargedImages } from './EnlargedImages.tsx'
import { useLastVisit } from './followReading.ts'
import { listenForQuotes } from './listenForQuotes.ts'
import { CodeButtons, HideButton, hide } from './PostButtons.tsx'
import { inlinePosts, previews } from './quoteStores.ts'
import { isFiltersDialogOpen } from './readerFilterStore.ts'

const importPreviews = () => import('./Previews.tsx')
const importViewer = async () => (await import('./ImageViewer.tsx')).ImageViewer
const importFilters = async () => (await import('./FiltersDialog.tsx')).FiltersDialog
const importWatching = async () => (await import('#src/features/board/watching/ThreadWatching.tsx')).ThreadWatching
const importKeys = async () => (await import('#src/player/ShortcutsDialog.tsx')).ShortcutsDialog

/** Loads a component that the reader asked for. If this fails, says so and forgets the request. */
const useRequested = <Props,>(load: () => Promise<ComponentType<Props>>, isRequested: boolean, forget: () => void) =>
  useLazyComponent(load, isRequested, () => {
    forget()
    toast(t('ui.couldNotLoad'))
  })

type ReadingListenersProps = {
  boardId: string | undefined
  thread: ThreadHead | null
  version: number
  write: WritePost | undefined
}

/** Loads previews, the viewer and dialogs at the first gesture that needs them. */
export function ReadingListeners({ boardId, thread, version, write }: ReadingListenersProps) {
  const hasQuotes = [previews.useValue(), inlinePosts.useValue()].some(({ length }) => length > 0)
  const Previews = useLazyComponent(async () => (await importPreviews()).Previews, hasQuotes)
  useEffect(() => listenForQuotes(() => void importPreviews().catch(() => undefined)), [])
  useEffect(() => {
    // Changes the pointer over images.
    document.documentElement.dataset.reading = ''
    return () => {
      delete document.documentElement.dataset.reading
    }
  }, [])

  // Also for visitors who posted before this browser followed threads.
  const hasPosted = useIsStored(OWN_POSTS_KEY)
  const Watching = useLazyComponent(importWatching, useIsStored(WATCHING_KEY) || hasPosted)

  useLastVisit(thread?.id, version)
  const [viewed, setViewed] = useState<{ firstUrl: string; isUncovered: boolean } | null>(null)
  const Viewer = useRequested(importViewer, viewed !== null, () => setViewed(null))
  const view = ({ url }: PostImage, isUncovered: boolean) => setViewed({ firstUrl: url, isUncovered })

  const areFiltersOpen = isFiltersDialogOpen.useValue()
  const closeFilters = () => isFiltersDialogOpen.set(false)
  const FiltersDialog = useRequested(importFilters, areFiltersOpen, closeFilters)
  useEffect(() => () => isFiltersDialogOpen.set(false), [])

  const [areKeysShown, setAreKeysShown] = useState(false)
  const KeysDialog = useRequested(importKeys, areKeysShown, () => setAreKeysShown(false))
  useBoardKeys({
    boardId,
    openViewer(marked) {
      const images = thread ? listImages() : []
      const own = images.find(({ postId }) => marked !== null && idOf(marked) === postId)
      const image = own ?? images.find(({ postId }) => isInView(findPost(postId))) ?? images[0]
      if (image) view(image, false)
    },
    hide,
    quote() {
      if (thread && write) quoteSelection(thread, write)
    },
    showKeys: () => setAreKeysShown(true),
  })

  return (
    <>
      {Previews && <Previews boardId={boardId} threadId={thread?.id} />}
      {Watching && <Watching threadId={thread?.id} version={version} />}
      {thread && <WatchButton thread={thread} />}
      {thread && <CodeButtons version={version} />}
      <EnlargedImages onView={(image) => view(image, true)} />
      {Viewer && viewed && thread && <Viewer version={version} {...viewed} onClose={() => setViewed(null)} />}
      {thread && write && <QuoteButton thread={thread} write={write} />}
      <HideButton />
      {FiltersDialog && <FiltersDialog open={areFiltersOpen} boardId={boardId} onClose={closeFilters} />}
      {KeysDialog && (
        <KeysDialog
          open={areKeysShown}
          keys={BOARD_KEYS.map(({ key, meaning }) => [key.toUpperCase(), meaning()] as const)}
          onClose={() => setAreKeysShown(false)}
        />
      )}
    </>
  )
}

const isInView = (post: Element | null) => (post?.getBoundingClientRect().bottom ?? 0) > 0
