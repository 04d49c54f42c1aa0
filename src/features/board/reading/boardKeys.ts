import { useEffect, useEffectEvent } from 'react'
import { navigate } from 'vike/client/router'
import { searchPath } from '#src/contract/search.ts'
import { catalogPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { canBeShortcut, OUTSIDE_FIELDS } from '#src/player/shortcuts.ts'
import { isFiltersDialogOpen } from './readerFilterStore.ts'

/** Functions of the page that keys call. */
type KeyTarget = {
  /** undefined on the page of all boards */
  boardId: string | undefined
  /** opens the viewer at the first image of an element, or at the first visible one */
  openViewer: (post: Element | null) => void
  hide: (post: Element) => void
  /** opens the form with the selected text */
  quote: () => void
  showKeys: () => void
}

type BoardKey = { key: string; meaning: () => string; run: (target: KeyTarget) => void }

/**
 * The keys of boards, catalogs and threads. The player has Space, M and the arrows on every page. The visualiser and the
 * moderation queue have other letters, on their own pages.
 */
export const BOARD_KEYS: BoardKey[] = [
  { key: 'j', meaning: () => t('board.keyNext'), run: () => step(1) },
  { key: 'k', meaning: () => t('board.keyPrevious'), run: () => step(-1) },
  { key: 'r', meaning: () => t('board.keyReply'), run: reply },
  { key: 'q', meaning: () => t('board.keyQuote'), run: ({ quote }) => quote() },
  { key: 'i', meaning: () => t('board.keyImages'), run: ({ openViewer }) => openViewer(markedPost()) },
  {
    key: 'x',
    meaning: () => t('board.keyHide'),
    run({ hide }) {
      const post = markedPost()
      if (post) hide(post)
    },
  },
  { key: 'f', meaning: () => t('board.filtersTitle'), run: () => isFiltersDialogOpen.set(true) },
  {
    key: 'c',
    meaning: () => t('board.keyCatalog'),
    run: ({ boardId }) => void (boardId && navigate(catalogPath(boardId))),
  },
  { key: '/', meaning: () => t('search.title'), run: search },
  { key: 'g b', meaning: () => t('board.keyBoards'), run: () => void navigate('/dtpchan') },
  { key: '?', meaning: () => t('player.thisList'), run: ({ showKeys }) => showKeys() },
]

const query = (selector: string) => document.querySelector<HTMLElement>(selector)

/** Lists the visible posts or threads of the page. */
const listPosts = () => [...document.querySelectorAll('main article')].filter((post) => post.checkVisibility())

const markedPost = () => document.activeElement?.closest('main article') ?? null

/** Marks the next or previous post: gives it, or the link of a thread in a list, the focus. */
function step(by: 1 | -1): void {
  const posts = listPosts()
  const marked = markedPost()
  // Without a mark, begins at the top of the window. The top bar covers a part of it.
  const edge = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0
  const isPassed = (post: Element) => post.getBoundingClientRect().top < edge - 1
  const index = marked ? posts.indexOf(marked) + by : posts.filter(isPassed).length - (by === 1 ? 0 : 1)
  const post = posts[index]
  if (!post) return
  const link = post.querySelector<HTMLElement>('h2 a')
  // A hidden thread shows a stub in place of its link.
  const target = link?.checkVisibility() ? link : (post as HTMLElement)
  if (target === post) post.setAttribute('tabindex', '-1')
  target.focus({ preventScroll: true })
  post.scrollIntoView({ block: 'start' })
}

/** Focuses the search field of the page, or opens the search. */
function search({ boardId }: KeyTarget): void {
  const field = query('[data-search-field]')
  if (field) focusInView(field)
  else void navigate(searchPath({ board: boardId ?? '' }))
}

/** Opens the form that the marked post offers; on a thread without a mark, the form of a comment. */
function reply(): void {
  const post = markedPost() ?? query('main article[id^=p]')
  const link = post?.querySelector<HTMLElement>('.reply-link')
  // Threads that take no posts hide the links.
  if (link?.checkVisibility()) link.click()
}

/** The second key of a sequence must follow the first within this time. */
const SEQUENCE_MS = 1500

/** Runs the keys of boards and threads. */
export function useBoardKeys(target: KeyTarget): void {
  const run = useEffectEvent((key: string) => {
    const found = BOARD_KEYS.find((one) => one.key === key)
    found?.run(target)
    return found !== undefined
  })

  useEffect(() => {
    let first = { key: '', at: 0 }
    function onKeyDown(event: KeyboardEvent) {
      const { key, timeStamp, repeat } = event
      if (!canBeShortcut(event, OUTSIDE_FIELDS) || (repeat && key !== 'j' && key !== 'k')) return
      const isSecond = timeStamp - first.at < SEQUENCE_MS
      const isRun = (isSecond && run(`${first.key} ${key}`)) || run(key)
      first = { key, at: timeStamp }
      // Otherwise, the browser would type the key into a field that now has the focus.
      if (isRun) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
