/** Moves the focus to any element, so that the keyboard and screen readers continue there. */
export function focusOn(element: Element | null) {
  if (!(element instanceof HTMLElement)) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** Returns a function to call after the element was deleted. It moves the focus to the element's neighbour. */
export function prepareNeighbourFocus(element: Element | null | undefined): () => void {
  const beside = element?.nextElementSibling ?? element?.previousElementSibling ?? null
  return () => focusOn(beside?.isConnected ? beside : document.getElementById('main'))
}
