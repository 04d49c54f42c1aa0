/** Gives the focus to an element that is no control, so that the keyboard and screen readers go on from there. */
export function focusOn(element: Element | null) {
  if (!(element instanceof HTMLElement)) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/**
 * Remembers what stands next to an element that is about to be deleted, so that nobody loses the place in a list.
 * @returns gives the focus to it, once the element is gone
 */
export function focusBeside(element: Element | null | undefined): () => void {
  const beside = element?.nextElementSibling ?? element?.previousElementSibling ?? null
  return () => focusOn(beside?.isConnected ? beside : document.getElementById('main'))
}
