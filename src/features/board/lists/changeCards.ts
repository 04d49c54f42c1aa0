import { idOf, parseHtml } from '#src/features/board/post/postElements.ts'
import { showLocalTimes } from '#src/features/board/post/usePreparedPosts.ts'

const childrenOf = (list: ParentNode) => [...list.children] as HTMLElement[]
const isWaiting = (card: HTMLElement) => card.dataset.waits !== undefined

/** Lists the threads of a board page or a catalog. */
export const cardsIn = (list: ParentNode): HTMLElement[] => childrenOf(list).filter((card) => !isWaiting(card))

/** Lists the threads that became active after the page loaded: they stay out of sight until the reader asks for them. */
export const waitingIn = (list: ParentNode): HTMLElement[] => childrenOf(list).filter(isWaiting)

export const parseCards = (html: string): HTMLElement[] => childrenOf(parseHtml(html))

const isPinned = (card: HTMLElement) => card.matches('[data-flags~=pinned]')
const pinnedIds = (list: Element) => cardsIn(list).filter(isPinned).map(idOf).join()

type Page = {
  written: HTMLElement[]
  /** whether this is the newest page */
  isFirst: boolean
  /** whether the page has all threads of the board */
  isWhole: boolean
  /** whether the threads always have the order of the server */
  isSorted: boolean
}

/** Updates listed threads, in their places unless one was pinned or unpinned. New threads wait. */
export function mergeCards(list: Element, { written, isFirst, isWhole, isSorted }: Page): void {
  const fetched = new Map(written.map((card) => [idOf(card), card]))
  const before = pinnedIds(list)
  for (const card of waitingIn(list)) card.remove()
  keepFocus(() => {
    for (const shown of cardsIn(list)) {
      const card = fetched.get(idOf(shown))
      if (card) updateCard(shown, card)
      // The newest page has all pinned threads, so this one is on a later page now.
      else if (isWhole || (isFirst && isPinned(shown))) shown.remove()
    }
    if (isSorted || pinnedIds(list) !== before) sortCards(list, [...fetched.keys()])
  })
  const listedIds = new Set(cardsIn(list).map(idOf))
  // Later pages have no new threads, but can have lost all.
  if (!isFirst && listedIds.size > 0) return
  const waiting = written.filter((card) => !listedIds.has(idOf(card)))
  for (const card of waiting) card.dataset.waits = ''
  list.append(...waiting)
}

/** Shows the newest page as the server sent it. */
export function showCards(list: Element, ids: number[]): void {
  keepFocus(() => {
    for (const card of waitingIn(list)) {
      delete card.dataset.waits
      showLocalTimes(card)
    }
    sortCards(list, ids)
    for (const card of cardsIn(list)) if (!ids.includes(idOf(card))) card.remove()
  })
}

function sortCards(list: Element, ids: number[]): void {
  const placeOf = (card: HTMLElement) => (ids.indexOf(idOf(card)) + 1 || ids.length + 1) - 1
  list.prepend(...cardsIn(list).toSorted((one, other) => placeOf(one) - placeOf(other)))
}

/** Elements lose the focus when they are moved or replaced. */
function keepFocus(change: () => void): void {
  const focused = document.activeElement
  const card = focused?.closest('article')
  change()
  if (!(focused instanceof HTMLElement) || !card || document.activeElement === focused) return
  const target = focused.isConnected ? focused : document.getElementById(card.id)?.querySelector<HTMLElement>('h2 a')
  target?.focus({ preventScroll: true })
}

/**
 * Replaces a card that has changed, and keeps what may be in use: its controls can have an open menu, its link to the
 * form gets the focus back when the form closes, and the reader may have uncovered its image.
 */
function updateCard(shown: HTMLElement, written: HTMLElement): void {
  if (shapeOf(shown) === shapeOf(written)) return
  const [image, newImage] = [shown, written].map((card) => card.querySelector('.picture'))
  if (image && newImage && image.innerHTML === newImage.innerHTML) newImage.replaceWith(image)
  for (const selector of ['[data-controls]', '.reply-link']) {
    const [part, newPart] = [shown, written].map((card) => card.querySelector(selector))
    if (part) newPart?.replaceWith(part)
  }
  showLocalTimes(written)
  shown.replaceWith(written)
}

/** Returns the HTML of a card without what this page has changed in it. */
function shapeOf(card: HTMLElement): string {
  const copy = card.cloneNode(true) as HTMLElement
  for (const time of copy.querySelectorAll('time')) {
    time.textContent = ''
    time.removeAttribute('title')
  }
  for (const added of copy.querySelectorAll('[data-hide], [data-stub], [data-controls] > *')) added.remove()
  copy.querySelector('.reply-link')?.removeAttribute('role')
  return copy.innerHTML
}
