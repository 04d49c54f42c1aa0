let element: HTMLAudioElement | null = null

/** Returns the only audio element; it outlives page navigation. */
export function getAudioElement(): HTMLAudioElement {
  if (!element) {
    element = document.createElement('audio')
    element.hidden = true
    element.preload = 'none'
    document.body.append(element)
  }
  return element
}
