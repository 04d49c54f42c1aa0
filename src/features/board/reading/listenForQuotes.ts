import {
  cardsAround,
  closePreviews,
  findQuoteLink,
  inlinePosts,
  openPreview,
  previews,
  quotesInPlace,
  toggleInPlace,
} from './quoteStores.ts'

/** Keeps cards from opening under a pointer or focus that only passes by. */
const HOVER_MS = 250
const FOCUS_MS = 500
/** Gives the pointer time to move from the link to the card. */
const LEAVE_MS = 300
/** Shorter than the browser's own long press, which opens a menu. */
const LONG_PRESS_MS = 400

/**
 * Opens previews when the pointer rests on a quote link, the keyboard focuses it, or a finger presses it. Closes them
 * when both pointer and focus have left, on Escape, and on a press outside.
 * @param preload called on the first sign that the reader wants a preview
 * @returns a function that stops and closes everything
 */
export function listenForQuotes(preload: () => void): () => void {
  const controller = new AbortController()
  const options = { capture: true, signal: controller.signal }
  let timer: ReturnType<typeof setTimeout> | undefined
  let hovered: Element | null = null
  let isTouch = false
  /** the next click ends a long press, or closed the cards */
  let ignoresClick = false

  function schedule(run: () => void, delay: number) {
    clearTimeout(timer)
    timer = setTimeout(run, delay)
  }
  const openAfter = (link: HTMLAnchorElement, delay: number) => {
    preload()
    schedule(() => openPreview(link), delay)
  }
  const closeAfter = (delay: number) => {
    if (previews.get().length > 0) schedule(() => closePreviews(countKept(hovered)), delay)
  }

  document.addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      if (pointerType === 'touch') return
      const link = findQuoteLink(target)
      const hadLink = findQuoteLink(hovered)
      hovered = target instanceof Element ? target : null
      if (link) openAfter(link, HOVER_MS)
      else if (previews.get().length > 0) closeAfter(LEAVE_MS)
      else if (hadLink) clearTimeout(timer)
    },
    options,
  )
  document.addEventListener(
    'focusin',
    ({ target }) => {
      const link = findQuoteLink(target)
      if (link?.matches(':focus-visible')) openAfter(link, FOCUS_MS)
      else closeAfter(0)
    },
    options,
  )
  document.addEventListener(
    'pointerdown',
    ({ target, pointerType }) => {
      clearTimeout(timer)
      isTouch = pointerType === 'touch'
      const link = findQuoteLink(target)
      const open = previews.get().length
      closePreviews(countKeptBy(target instanceof Element ? target : null))
      ignoresClick = isTouch && previews.get().length < open
      if (!link || !isTouch) return
      preload()
      schedule(() => {
        ignoresClick = true
        openPreview(link)
      }, LONG_PRESS_MS)
    },
    options,
  )
  for (const end of ['pointerup', 'pointercancel'] as const) {
    document.addEventListener(end, () => isTouch && clearTimeout(timer), options)
  }
  document.addEventListener(
    'contextmenu',
    (event) => isTouch && findQuoteLink(event.target) && event.preventDefault(),
    options,
  )
  document.addEventListener(
    'click',
    (event) => {
      const link = findQuoteLink(event.target)
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
      if (!ignoresClick && !(link && isPlain)) return
      clearTimeout(timer)
      const isInPlace = link !== null && (quotesInPlace.get() || link.ariaExpanded === 'true')
      if (ignoresClick || isInPlace) {
        event.preventDefault()
        event.stopPropagation()
      }
      if (ignoresClick) ignoresClick = false
      else if (link && isInPlace) {
        closePreviews(cardsAround(link))
        toggleInPlace(link)
      } else closePreviews(0)
    },
    options,
  )
  document.addEventListener(
    'keydown',
    (event) => {
      ignoresClick = false
      if (event.key !== 'Escape') return
      clearTimeout(timer)
      const last = previews.get().at(-1)
      if (!last) return
      event.preventDefault()
      event.stopPropagation()
      // The focus would be lost with the card.
      if (document.activeElement && cardsAround(document.activeElement) === previews.get().length) last.link.focus()
      clearTimeout(timer)
      closePreviews(previews.get().length - 1)
    },
    options,
  )

  return () => {
    controller.abort()
    clearTimeout(timer)
    closePreviews(0)
    for (const { place } of inlinePosts.get()) place.remove()
    inlinePosts.set([])
  }
}

/** Returns how many cards the pointer or the focus keeps open. */
function countKept(hovered: Element | null): number {
  const focused = document.activeElement
  const isKeyboard = focused !== null && (focused.matches(':focus-visible') || cardsAround(focused) > 0)
  return Math.max(countKeptBy(hovered), countKeptBy(isKeyboard ? focused : null))
}

/** Returns the number of the cards around an element, and the card that the element opened. */
function countKeptBy(element: Element | null): number {
  if (!element) return 0
  const around = cardsAround(element)
  const link = findQuoteLink(element)
  return link !== null && previews.get()[around]?.link === link ? around + 1 : around
}
