import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeEngines } from '#tests/helpers/engines/stage.ts'

const DOCUMENT = new URL('../../../docs/browsers.md', import.meta.url)

describeEngines((stage) => {
  test('a first visit gets the fonts of the styles', async () => {
    const { page } = stage
    await page.open('/about')
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.until('fonts', () => page.evaluate(() => document.documentElement.dataset.fonts === 'loaded'))
    const [first, loaded] = await page.evaluate(() => [
      getComputedStyle(document.body).fontFamily.split(',')[0]?.replaceAll('"', ''),
      [...document.fonts].flatMap(({ status, family }) => (status === 'loaded' ? family.replaceAll('"', '') : [])),
    ])
    expect(loaded).toContain(first)
  })

  test('the engine lacks what the documentation says', async () => {
    const { page, engine } = stage
    await page.open('/robots.txt')
    const rows = (await readFile(DOCUMENT, 'utf8')).matchAll(/^\| ([^|]+) \| (yes|no) \| (yes|no) \|/gm)
    const documented = Object.fromEntries(
      [...rows].map(([, name, firefox, webkit]) => [name, (engine === 'Firefox' ? firefox : webkit) === 'yes']),
    )
    expect(await page.evaluate(findFeatures)).toEqual(documented)
  })

  test('the visualiser says that it cannot draw, or draws', async () => {
    const { page } = stage
    await page.open('/visualizer')
    await page.press(/play/, 'main')
    const canDraw = await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null)
    if (canDraw) {
      await page.until('a canvas', () => page.evaluate(() => document.querySelector('main canvas') !== null))
    } else await page.see('WebGL2 not supported')
  })
})

/** Runs in the page. */
function findFeatures(): Record<string, boolean> {
  const popover = document.createElement('div')
  popover.setAttribute('popover', 'hint')
  return {
    '`interpolate-size`': CSS.supports('interpolate-size', 'allow-keywords'),
    '`text-wrap: pretty`': CSS.supports('text-wrap', 'pretty'),
    '`field-sizing`': CSS.supports('field-sizing', 'content'),
    '`closedby` of dialogs': 'closedBy' in HTMLDialogElement.prototype,
    '`requestIdleCallback`': 'requestIdleCallback' in window,
    '`PushManager`': 'PushManager' in window,
    WebAuthn: 'PublicKeyCredential' in window,
    WebGL2: document.createElement('canvas').getContext('webgl2') !== null,
    'Speculation Rules': HTMLScriptElement.supports('speculationrules'),
    'scroll timelines': CSS.supports('animation-timeline', 'scroll()'),
    '`command` of buttons': 'commandForElement' in HTMLButtonElement.prototype,
    '`popover=hint`': popover.popover === 'hint',
    '`scheduler`': 'scheduler' in window,
    'Navigation API': 'navigation' in window,
    '`CloseWatcher`': 'CloseWatcher' in window,
    '`moveBefore`': 'moveBefore' in Element.prototype,
  }
}
