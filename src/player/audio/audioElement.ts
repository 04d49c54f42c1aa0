let element: HTMLAudioElement | null = null

/** Returns the site's only audio element, which keeps playing during navigation. */
export function getAudioElement(): HTMLAudioElement {
  if (!element) {
    element = document.createElement('audio')
    element.hidden = true
    element.preload = 'none'
    document.body.append(element)
  }
  return element
}
