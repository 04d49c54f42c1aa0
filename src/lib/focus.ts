/** Focuses any element. The keyboard and screen readers then continue from there. */
export function focusOn(element: Element | null) {
  if (!(element instanceof HTMLElement)) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** Returns a function that focuses the element's visible neighbour. Call it after deleting or hiding the element. */
export function prepareNeighbourFocus(element: Element | null | undefined): () => void {
  const siblings = [...(element?.parentElement?.children ?? [])].filter(
    (one) => one === element || one.checkVisibility(),
  )
  const index = element ? siblings.indexOf(element) : -1
  const beside = siblings[index + 1] ?? siblings[index - 1] ?? null
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
