import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { seed } from '#tests/helpers/siteProcess.ts'

const BOARD = '/dtpchan/board/technology'
let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 2 --comments 3')
})
afterAll(() => site.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const pathOf = (page: Page) => new URL(page.url()).pathname
/** Number of layers that Back closes first. */
const layers = (page: Page) => page.evaluate(() => history.state.layer)

/** Opens a board on a phone by following a link from the board list. */
async function openBoard(): Promise<Page> {
  const page = await site.visit('/dtpchan', { viewport: PHONE })
  await page.locator(`a[href="${BOARD}"]`).last().click()
  await expect(heading(page)).toContainText('/technology/')
  return page
}
const openThreadDialog = (page: Page) => page.getByRole('button', { name: 'Create Thread' }).first().click()

test.runIf(isDeep)(
  'ignores the second tap of a double tap that closes a dialog or follows a link of the drawer',
  async () => {
    const page = await openBoard()
    await openThreadDialog(page)
    const dialog = page.getByRole('dialog', { name: 'Create Thread' })
    // Covers the page below the form with a link, so that the test does not depend on the page's layout.
    await page.evaluate(() => {
      const below = Object.assign(document.createElement('a'), { href: '/login' })
      below.style.cssText = 'position: fixed; inset: 0; z-index: 24'
      document.body.append(below)
    })
    await dialog.getByRole('button', { name: 'Close' }).dblclick()
    await expect(dialog).toBeHidden()
    // A navigation would start at once.
    await page.waitForTimeout(500)
    expect(pathOf(page)).toBe(BOARD)

    await page.getByRole('button', { name: 'Menu', exact: true }).dispatchEvent('click')
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'About' }).dblclick()
    await page.waitForURL('**/about')
    await page.waitForTimeout(500)
    expect(pathOf(page)).toBe('/about')
  },
)

test.runIf(isDeep)('takes a click where a dialog was closed, after a click elsewhere', async () => {
  const page = await openBoard()
  await openThreadDialog(page)
  const dialog = page.getByRole('dialog', { name: 'Create Thread' })
  await page.evaluate(() => {
    const below = document.createElement('div')
    below.style.cssText = 'position: fixed; inset: 0; z-index: 24'
    below.addEventListener('click', ({ clientX }) => below.append(`${clientX} `))
    document.body.append(below)
  })
  const { x, y } = (await dialog.getByRole('button', { name: 'Close' }).boundingBox()) ?? { x: 0, y: 0 }
  for (const [clickX, clickY] of [
    [x + 9, y + 9],
    [5, 100],
    [x + 9, y + 9],
  ] as const)
    await page.mouse.click(clickX, clickY)
  await expect(dialog).toBeHidden()
  await expect(page.locator('body > div').last()).toHaveText(`5 ${Math.trunc(x + 9)}`)
})

describe('the Back button', () => {
  test('closes a dialog, keeps the draft, and leaves the page on the second press', async () => {
    const page = await openBoard()
    await openThreadDialog(page)
    const dialog = page.getByRole('dialog', { name: 'Create Thread' })
    await dialog.getByLabel('Title', { exact: true }).fill('Kept')
    await expect.poll(() => layers(page)).toBe(1)
    await page.evaluate(() => history.back())
    await expect(dialog).toBeHidden()
    expect(pathOf(page)).toBe(BOARD)
    await openThreadDialog(page)
    await expect(dialog.getByLabel('Title', { exact: true })).toHaveValue('Kept')
    await expect.poll(() => layers(page)).toBe(1)
    await page.goBack()
    await expect(dialog).toBeHidden()
    await page.goBack()
    await expect(heading(page)).toHaveText('DTPChan')
    await page.goForward()
    await expect(heading(page)).toContainText('/technology/')
    await expect(dialog).toBeHidden()
  })

  test.runIf(isDeep)('closes a dialog that was opened while the one before it closed', async () => {
    const page = await site.visit('/programs-we-love', { viewport: PHONE })
    await page.getByRole('button', { name: 'Login to Add Program' }).click()
    const dialog = page.getByRole('dialog', { name: 'Login' })
    await expect.poll(() => layers(page)).toBe(1)
    await page.evaluate(() => {
      const opener = [...document.querySelectorAll('button')].find(({ textContent }) =>
        textContent?.includes('Login to'),
      )
      history.replaceState({ ...history.state, isFirst: true }, '')
      const closed = document.querySelector('dialog[open]') as HTMLDialogElement
      closed.querySelector<HTMLElement>('button[aria-label="Close"]')?.click()
      setTimeout(() => {
        // On a busy machine, the `close` event arrives as late as this.
        const observer = new MutationObserver(() => {
          observer.disconnect()
          closed.dispatchEvent(new Event('close'))
        })
        observer.observe(closed, { childList: true })
        opener?.click()
      })
    })
    await expect.poll(() => page.evaluate(() => [history.state.layer, history.state.isFirst])).toEqual([1, undefined])
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await expect.poll(() => layers(page)).toBe(1)
    await page.goBack()
    await expect(dialog).toBeHidden()
    expect(pathOf(page)).toBe('/programs-we-love')
  })

  test.runIf(isDeep)('leaves the page at once after a button closed the dialog', async () => {
    const page = await openBoard()
    for (const close of ['Close', 'Escape']) {
      await openThreadDialog(page)
      const dialog = page.getByRole('dialog', { name: 'Create Thread' })
      await expect(dialog).toBeVisible()
      if (close === 'Escape') await page.keyboard.press('Escape')
      else await dialog.getByRole('button', { name: close }).click()
      await expect(dialog).toBeHidden()
      await expect.poll(() => layers(page)).toBeUndefined()
    }
    await page.goBack()
    await expect(heading(page)).toHaveText('DTPChan')
  })

  test('closes the drawer, and returns in one step from a link in the drawer', async () => {
    const page = await openBoard()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    await menu.click()
    await expect.poll(() => layers(page)).toBe(1)
    await drawer.getByText('Tools').click()
    await expect(drawer.getByRole('link', { name: 'Paste Service' })).toBeHidden()
    await page.evaluate(() => history.back())
    await expect(drawer).toBeHidden()
    expect(pathOf(page)).toBe(BOARD)
    await menu.click()
    await expect.poll(() => layers(page)).toBe(1)
    await drawer.getByRole('link', { name: 'About' }).click()
    await page.waitForURL('**/about')
    await expect(drawer).toBeHidden()
    await page.goBack()
    await expect(heading(page)).toContainText('/technology/')
    await page.goBack()
    await expect(heading(page)).toHaveText('DTPChan')
  })

  test('closes the player sheet', async () => {
    const page = await openBoard()
    const player = page.getByRole('region', { name: 'Radio player' })
    await player.getByRole('button', { name: 'Maximise' }).click()
    const restore = player.getByRole('button', { name: 'Restore' })
    await expect(restore).toBeVisible()
    await expect.poll(() => layers(page)).toBe(1)
    await page.evaluate(() => history.back())
    await expect(restore).toBeHidden()
    expect(pathOf(page)).toBe(BOARD)
  })

  test.runIf(isDeep)('closes the topmost dialog first', async () => {
    const page = await site.visit('/programs-we-love', { viewport: PHONE })
    await site.logIn(page)
    await page.getByRole('button', { name: 'Add Program' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Program' })
    await form.getByLabel('Program Name').fill('Mosh')
    await page.evaluate(() => localStorage.removeItem('dtpchan_token'))
    await form.getByLabel('Website Link').fill('https://mosh.org/')
    await form.getByLabel('Description').fill('Stays connected.')
    await form.getByLabel('Added By').fill('ada')
    await form.getByLabel('Category').selectOption({ index: 1 })
    await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'dtpchan_token' })))
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    const login = page.getByRole('dialog', { name: 'Login' })
    await expect(login).toBeVisible()
    await expect.poll(() => layers(page)).toBe(2)
    await page.evaluate(() => history.back())
    await expect(login).toBeHidden()
    await expect(form.getByLabel('Program Name')).toHaveValue('Mosh')
    await page.evaluate(() => history.back())
    await expect(form).toBeHidden()
    expect(pathOf(page)).toBe('/programs-we-love')
  })
})
