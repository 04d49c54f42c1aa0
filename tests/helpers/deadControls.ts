import type { Page } from 'playwright'

/** Lists the visible links, buttons and folds of the page that have no visible text. */
export const findWordlessControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hasStyledText = (control: Element) =>
      ['::before', '::after'].some((part) => !/^(?:none|"")$/.test(getComputedStyle(control, part).content))
    return [...document.querySelectorAll<HTMLElement>('a[href], button, summary')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => control.innerText.trim() === '' && !control.querySelector('img') && !hasStyledText(control))
      .map((control) => control.outerHTML.slice(0, 200))
  })

/**
 * Lists the visible controls that do nothing without script. These work: links, popover buttons, and fields of a form
 * whose button sends it. A checkbox without a name works through styles.
 */
export const findDeadControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isVisible = (control: Element) => control.checkVisibility({ visibilityProperty: true })
    const submits = (control: Element) =>
      control.matches('button[type=submit]:enabled, input[type=submit]:enabled') &&
      (control as HTMLButtonElement).form !== null
    const works = (control: Element) =>
      control.matches('button')
        ? submits(control) || control.matches('[popovertarget]:enabled')
        : control.matches('input[type=checkbox]:not([name]):enabled, [readonly]') ||
          [...((control as HTMLInputElement).form?.elements ?? [])].some((other) => isVisible(other) && submits(other))
    return [...document.querySelectorAll('button, input:not([type=hidden]), select, textarea, [role=button]')]
      .filter((control) => isVisible(control) && !works(control))
      .map((control) => control.outerHTML.slice(0, 200))
  })
