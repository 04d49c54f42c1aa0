import { Images } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ThreadHead } from '#src/contract/thread.ts'
import { findPost, idOf, listImages, type PostImage } from '#src/features/board/post/postElements.ts'
import { WatchButton } from '#src/features/board/watching/WatchButton.tsx'
import { useIsWatching } from '#src/features/board/watching/watchMark.ts'
import { useHasPosted } from '#src/features/board/writing/hasPosted.ts'
import type { WritePost } from '#src/features/board/writing/usePostDialog.tsx'
import { t } from '#src/i18n/t.ts'
import { buttonClass } from '#src/ui/Button.tsx'
import { loadCode } from '#src/ui/loadCode.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { BOARD_KEYS } from './boardKeys.ts'
import { CodeButtons } from './CodeButtons.tsx'
import { HideButton, hide } from './HideButton.tsx'
import { listenForQuotes } from './listenForQuotes.ts'
import { OPEN_FILTERS } from './postFilter.ts'
import { inlinePosts, previews } from './quoteStores.ts'
import { useBoardKeys } from './useBoardKeys.ts'
import { useEnlargedImages } from './useEnlargedImages.ts'
import { useLastVisit } from './useLastVisit.ts'

const importPreviews = () => import('./Previews.tsx')
const importViewer = () => import('./ImageViewer.tsx')
const importQuoteButton = () => import('#src/features/board/writing/QuoteButton.tsx')
const importFilters = () => import('./FiltersDialog.tsx')
const importWatching = async () => (await import('#src/features/board/watching/ThreadWatching.tsx')).ThreadWatching
const importKeys = () => import('#src/player/ShortcutsDialog.tsx')
type Viewer = Awaited<ReturnType<typeof importViewer>>['ImageViewer']
type FiltersDialog = Awaited<ReturnType<typeof importFilters>>['FiltersDialog']
type KeysDialog = Awaited<ReturnType<typeof importKeys>>['ShortcutsDialog']

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

  const [hasSelected, setHasSelected] = useState(false)
  const QuoteButton = useLazyComponent(async () => (await importQuoteButton()).QuoteButton, hasSelected)
  useEffect(() => {
    const listen = () => getSelection()?.isCollapsed === false && setHasSelected(true)
    document.addEventListener('selectionchange', listen)
    // The reader can select text before this code is loaded.
    listen()
    return () => document.removeEventListener('selectionchange', listen)
  }, [])

  useEffect(() => {
    // Changes the pointer over images.
    document.documentElement.dataset.reading = ''
    return () => {
      delete document.documentElement.dataset.reading
    }
  }, [])

  // Also for visitors who posted before this browser followed threads.
  const hasPosted = useHasPosted()
  const Watching = useLazyComponent(importWatching, useIsWatching() || hasPosted)

  useLastVisit(thread?.id, version)
  const enlarged = useEnlargedImages()
  const [viewer, setViewer] = useState<
    ({ Viewer: Viewer } & Pick<ComponentProps<Viewer>, 'firstUrl' | 'isUncovered'>) | null
  >(null)
  async function view({ url }: PostImage, isUncovered: boolean) {
    const loaded = await loadCode(importViewer)
    if (loaded) setViewer({ Viewer: loaded.ImageViewer, firstUrl: url, isUncovered })
  }

  const [filters, setFilters] = useState<{ FiltersDialog: FiltersDialog; open: boolean } | null>(null)
  useEffect(() => {
    const listen = async () => {
      const loaded = await loadCode(importFilters)
      if (loaded) setFilters({ FiltersDialog: loaded.FiltersDialog, open: true })
    }
    window.addEventListener(OPEN_FILTERS, listen)
    return () => window.removeEventListener(OPEN_FILTERS, listen)
  }, [])

  const [keysDialog, setKeysDialog] = useState<{ KeysDialog: KeysDialog; open: boolean } | null>(null)
  useBoardKeys({
    boardId,
    openViewer(marked) {
      const images = thread ? listImages() : []
      const own = images.find(({ postId }) => marked !== null && idOf(marked) === postId)
      const image = own ?? images.find(({ postId }) => isInView(findPost(postId))) ?? images[0]
      if (image) void view(image, false)
    },
    hide: (post) => void hide(post),
    async quote() {
      const loaded = thread && write && (await loadCode(importQuoteButton))
      if (loaded) loaded.quoteSelection(thread, write)
    },
    async showKeys() {
      const loaded = await loadCode(importKeys)
      if (loaded) setKeysDialog({ KeysDialog: loaded.ShortcutsDialog, open: true })
    },
  })

  return (
    <>
      {Previews && <Previews boardId={boardId} threadId={thread?.id} />}
      {Watching && <Watching threadId={thread?.id} version={version} />}
      {thread && <WatchButton thread={thread} />}
      {thread && <CodeButtons version={version} />}
      {enlarged.map(({ image, caption }) =>
        createPortal(
          <button
            type="button"
            className={buttonClass({ variant: 'text', size: 'small' })}
            onClick={() => void view(image, true)}
          >
            <Images className="icon icon-s" />
            {t('board.viewAll')}
          </button>,
          caption,
          image.url,
        ),
      )}
      {viewer && thread && (
        <viewer.Viewer
          version={version}
          firstUrl={viewer.firstUrl}
          isUncovered={viewer.isUncovered}
          onClose={() => setViewer(null)}
        />
      )}
      {QuoteButton && thread && write && <QuoteButton thread={thread} write={write} />}
      <HideButton />
      {filters && (
        <filters.FiltersDialog
          open={filters.open}
          boardId={boardId}
          onClose={() => setFilters({ ...filters, open: false })}
        />
      )}
      {keysDialog && (
        <keysDialog.KeysDialog
          open={keysDialog.open}
          keys={BOARD_KEYS.map(({ shown, meaning }) => [shown, meaning()] as const)}
          onClose={() => setKeysDialog({ ...keysDialog, open: false })}
        />
      )}
    </>
  )
}

const isInView = (post: Element | null) => (post?.getBoundingClientRect().bottom ?? 0) > 0
