/** Focuses any element. The keyboard and screen readers then continue from there. */
export function focusOn(element: Element | null) {
  if (!(element instanceof HTMLElement)) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** Returns a function that focuses the element's neighbour. Call that function after deleting the element. */
export function prepareNeighbourFocus(element: Element | null | undefined): () => void {
  const beside = element?.nextElementSibling ?? element?.previousElementSibling ?? null
  return () => focusOn(beside?.isConnected ? beside : document.getElementById('main'))
}

/** Focuses an element and shows it from its first line. `focus()` alone scrolls differently in every browser. */
export function focusInView(element: Element | RadioNodeList | null | undefined) {
  if (!(element instanceof HTMLElement)) return
  element.focus({ preventScroll: true })
  const [label] = (element as Partial<HTMLInputElement>).labels ?? []
  for (const part of [element, label ?? element.firstElementChild]) part?.scrollIntoView({ block: 'nearest' })
}

/** The ref of a message that takes the place of the focused control. */
export const focusOnMount = (element: HTMLElement | null) => focusInView(element)
