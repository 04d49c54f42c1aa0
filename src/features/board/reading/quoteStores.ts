import { createStore } from '#src/lib/store.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'

/** A card that shows the post of a quote link. */
export type Preview = { key: string; link: HTMLAnchorElement; id: number }

/** The open cards. The link of each card but the first is in the card before it. */
export const previews = createStore<readonly Preview[]>([])

/** A post that is shown in place, in an element after the paragraph of its link. */
type InlinePost = Preview & { place: HTMLElement }

export const inlinePosts = createStore<readonly InlinePost[]>([])

/** Whether a click on a quote link shows the post in place instead of jumping to it. */
export const quotesInPlace = createStoredStore(
  'dtpchan_quotes_in_place',
  (stored) => stored === true,
  (isOn) => isOn || null,
)

/** Returns the quote link or backlink that contains the target. In imported posts, `>>>/board/1` is an old number. */
export function findQuoteLink(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  return link && /^>>(>\/[\w-]+\/)?\d+$/.test(link.text) && /^#p\d+$/.test(link.hash) ? link : null
}

let previewCount = 0

const createPreview = (link: HTMLAnchorElement): Preview => ({
  key: String(++previewCount),
  link,
  id: Number(link.hash.slice(2)),
})

/** Returns how many cards are open around and below the target: 0 on the page, 1 in the first card. */
export function cardsAround(target: Element): number {
  const card = target.closest<HTMLElement>('[data-card]')
  return card ? Number(card.dataset.card) + 1 : 0
}

export function openPreview(link: HTMLAnchorElement): void {
  const around = cardsAround(link)
  const open = previews.get()
  // The post is shown in place already.
  if (!link.isConnected || open[around]?.link === link || link.ariaExpanded === 'true') return
  previews.set([...open.slice(0, around), createPreview(link)])
}

/** Closes all cards but the first `kept`. */
export function closePreviews(kept: number): void {
  if (previews.get().length > kept) previews.set(previews.get().slice(0, kept))
}

/** Shows the post of a link in place, or closes it. */
export function toggleInPlace(link: HTMLAnchorElement): void {
  const open = inlinePosts.get().find((post) => post.link === link)
  link.ariaExpanded = String(!open)
  if (open) open.place.remove()
  // Closing a post, or its removal, also removes what was opened in it.
  const others = inlinePosts.get().filter((post) => post !== open && post.link.isConnected)
  const place = document.createElement('div')
  if (!open) (link.closest('p, footer, header') ?? link).after(place)
  inlinePosts.set(open ? others : [...others, { ...createPreview(link), place }])
}
