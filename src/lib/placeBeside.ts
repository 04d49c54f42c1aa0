/**
 * Places an element of the page below an anchor, or above if there is more space.
 *
 * Its style reads `--top`, `--left` and `--end` for its place, and `--space` for the height that it can have.
 * @param gap px between both
 * @param covered px at the bottom of the window that something else covers
 */
export function placeBeside(element: HTMLElement, anchor: DOMRect, gap: number, covered = 0): void {
  const { top, bottom, left, right } = anchor
  const below = innerHeight - covered - bottom - 2 * gap
  const above = top - 2 * gap
  const set = (name: string, px: number) => element.style.setProperty(name, `${px}px`)
  set('--space', Math.floor(Math.max(below, above)))
  const height = element.offsetHeight
  set('--top', scrollY + (height <= below || below >= above ? bottom + gap : top - gap - height))
  set('--left', left)
  const isRightToLeft = getComputedStyle(element).direction === 'rtl'
  set('--end', isRightToLeft ? left : document.documentElement.clientWidth - right)
}
