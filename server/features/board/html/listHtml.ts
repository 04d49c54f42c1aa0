import {
  type BoardPage,
  type CatalogPage,
  type CatalogThread,
  type CatalogView,
  matchesCatalogFilter,
  type Overboard,
  type ShownBoard,
  type ShownCatalog,
  type ShownOverboard,
} from '#src/contract/thread.ts'
import { cardHtml, tileHtml } from './cardHtml.ts'

/** Renders a board page in the current language. */
export const renderBoard = ({ threads, ...page }: BoardPage): ShownBoard => ({
  ...page,
  html: threads.map((thread) => cardHtml(thread)).join(''),
  count: threads.length,
})

/** Renders the threads of all boards in the current language. */
export function renderOverboard({ threads, ...page }: Overboard): ShownOverboard {
  const names = new Map(page.boards.map(({ id, name }) => [id, name]))
  return {
    ...page,
    html: threads.map((thread) => cardHtml(thread, { boardName: names.get(thread.boardId) ?? '' })).join(''),
    count: threads.length,
    boardIds: [...new Set(threads.map(({ boardId }) => boardId))],
  }
}

/** Renders a catalog in the current language, in its order. `matching` is the number of threads that the filter shows. */
export function renderCatalog({ threads, ...page }: CatalogPage, { sort, filter }: CatalogView): ShownCatalog {
  const listed = sortCatalog(threads, sort).map((thread) => ({ thread, isShown: matchesCatalogFilter(thread, filter) }))
  return {
    ...page,
    html: listed.map(({ thread, isShown }) => tileHtml(thread, isShown)).join(''),
    count: threads.length,
    matching: listed.filter(({ isShown }) => isShown).length,
  }
}

const countReplies = ({ commentCount, replyCount }: CatalogThread) => commentCount + replyCount

/** Sorts threads that are in order of activity. The pinned ones are first in every order. */
export function sortCatalog(threads: CatalogThread[], sort: CatalogView['sort']): CatalogThread[] {
  if (sort === 'activity') return threads
  const replies = (one: CatalogThread) => (sort === 'replies' ? countReplies(one) : 0)
  return threads.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || replies(b) - replies(a) || b.id - a.id)
}
