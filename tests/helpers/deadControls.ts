import type { Page } from 'playwright'

/** Lists the visible links, buttons and folds of the page that have no visible text. */
export const findWordlessControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hasStyledText = (control: Element) =>
      ['::before', '::after'].some((part) => !/^(?:none|"")$/.test(getComputedStyle(control, part).content))
    return (
      [...document.querySelectorAll<HTMLElement>('a[href], button, summary')]
        // Controls out of view have no innerText if their layout is skipped.
        .filter((control) => control.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
        .filter(
          (control) => control.innerText.trim() === '' && !control.querySelector('img') && !hasStyledText(control),
        )
        .map((control) => control.outerHTML.slice(0, 200))
    )
  })

/**
 * Lists the visible controls that do nothing without script. Links and popover buttons work, and fields whose form has a
 * submit button: of a search, even one that phones hide, because Enter presses it. A checkbox without a name works too: styles
 * read its state.
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
          [...((control as HTMLInputElement).form?.elements ?? [])].some(
            (other) => (isVisible(other) || control.matches('[type=search]')) && submits(other),
          )
    return [...document.querySelectorAll('button, input:not([type=hidden]), select, textarea, [role=button]')]
      .filter((control) => isVisible(control) && !works(control))
      .map((control) => control.outerHTML.slice(0, 200))
  })
