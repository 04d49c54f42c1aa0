import type { Locator } from 'playwright'
import { expect } from './browser.ts'

/** More than the elements of any page in tests. */
const MAX_PRESSES = 150

/** Presses Tab until an element is focused. Fails if it is never reached, has no focus ring, or is covered. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeEnabled()
  for (let presses = 0; presses <= MAX_PRESSES; presses++) {
    const focus = await target.evaluate(describeFocus)
    if (focus !== 'elsewhere') return expect(focus, String(target)).toBe('visible')
    await target.page().keyboard.press(key)
  }
  throw new Error(`${key} does not reach ${target}`)
}

/** Presses keys after tabbing to an element. */
export async function pressOn(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Checks that an element has the focus without a key press, and that it is visible. */
export async function expectVisibleFocus(target: Locator): Promise<void> {
  await expect(target).toBeFocused()
  await expect.poll(() => target.evaluate(describeFocus)).toBe('visible')
}

/** Runs in the page. */
function describeFocus(element: Element): string {
  if (element !== document.activeElement) return 'elsewhere'
  const { outlineStyle, boxShadow } = getComputedStyle(element)
  if (!element.matches(':focus-visible') || (outlineStyle === 'none' && boxShadow === 'none')) return 'no focus ring'
  const { left, top, width, height } = element.getBoundingClientRect()
  const front = document.elementFromPoint(left + width / 2, top + height / 2)
  return front && (element.contains(front) || front.contains(element)) ? 'visible' : 'covered'
}
