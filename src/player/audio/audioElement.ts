let element: HTMLAudioElement | null = null

/** The one audio element: made when first needed and the same for ever, whatever page is around it. */
export function ensureAudioElement(): HTMLAudioElement {
  if (!element) {
    element = document.createElement('audio')
    element.hidden = true
    element.preload = 'none'
    document.body.append(element)
  }
  return element
}

/** The element, if there is one yet. */
export const getAudioElement = (): HTMLAudioElement | null => element
