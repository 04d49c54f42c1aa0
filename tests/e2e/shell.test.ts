import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, MODULES, PHONE, startBrowserSite, waitForHydration } from '#tests/helpers/browser.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { ADMIN } from '#tests/helpers/siteProcess.ts'

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const LINKS: [name: string, href: string][] = [
  ['Home', '/'],
  ['About', '/about'],
  ['Archive', '/archive'],
  ['Visualiser', '/visualizer'],
  ['Today in Tech', '/today-in-tech'],
  ['Debauched Blog', '/debauched-blog'],
  ['DTPChan', '/dtpchan'],
  ['Paste Service', '/paste-service'],
  ['Programs We Love', '/programs-we-love'],
  ['Password Generator', '/password-generator'],
  ['Image Sharing', '/image-sharing'],
]

const bar = (page: Page) => page.getByRole('banner')
const player = (page: Page) => page.getByRole('region', { name: 'Radio player' })

describe('navigation', () => {
  test('links every page, opens and closes menus, and opens the chat in a new tab', async () => {
    const page = await site.visit('/')
    for (const menu of ['News', 'Tools']) {
      await bar(page).getByRole('button', { name: menu }).click()
      await expect(bar(page).getByRole('navigation', { name: menu })).toBeVisible()
      for (const [name, href] of LINKS) {
        const link = bar(page).getByRole('link', { name, exact: true })
        if (await link.isVisible()) await expect(link).toHaveAttribute('href', href)
      }
      await page.keyboard.press('Escape')
      await expect(bar(page).getByRole('navigation', { name: menu })).toBeHidden()
    }
    for (const [name] of LINKS) expect(await bar(page).getByText(name, { exact: true }).count()).toBeGreaterThan(0)
    await expect(bar(page).getByRole('link', { name: /^Chat/ })).toHaveAttribute('target', '_blank')
    await bar(page).getByRole('button', { name: 'News' }).click()
    await bar(page).getByRole('link', { name: 'DTPChan' }).click()
    await page.waitForURL('**/dtpchan')
    await expect(bar(page).getByRole('navigation', { name: 'News' })).toBeHidden()
  })

  test('renders a menu when it is opened, and marks the page in it', async () => {
    const page = await site.visit('/')
    await waitForHydration(page)
    const menu = bar(page).locator('nav[aria-label="News"]')
    const links = menu.locator('a')
    await expect(links).toHaveText(['Today in Tech', 'Debauched Blog', 'DTPChan'])
    await expect(links.locator('svg')).toHaveCount(0)
    await bar(page).getByRole('button', { name: 'News' }).click()
    await expect(links).toHaveText(['Today in Tech', 'Debauched Blog', 'DTPChan'])
    await expect(links.locator('svg')).toHaveCount(3)
    await links.getByText('DTPChan').click()
    await page.waitForURL('**/dtpchan')
    await bar(page).getByRole('button', { name: 'News' }).click()
    await expect(menu.locator('[aria-current]')).toHaveText('DTPChan')
  })

  test('closes a menu that was opened before hydration when its link is followed', async () => {
    const page = await site.visit('/robots.txt')
    const released = createDeferred()
    await page.route(MODULES, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    const menu = bar(page).getByRole('navigation', { name: 'News' })
    await bar(page).getByRole('button', { name: 'News' }).click()
    released.resolve()
    await waitForHydration(page)
    await expect(menu).toBeVisible()
    await expect(menu.locator('svg')).toHaveCount(3)
    await menu.getByRole('link', { name: 'DTPChan' }).click()
    await page.waitForURL('**/dtpchan')
    await expect(menu).toBeHidden()
  })

  test.runIf(isDeep)('shows the user in a drawer that was opened before hydration', async () => {
    const page = await site.visit('/robots.txt', { viewport: PHONE })
    await site.logIn(page)
    const released = createDeferred()
    await page.route(MODULES, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByRole('link', { name: 'Login' })).toBeVisible()
    released.resolve()
    await expect(drawer.getByText(ADMIN.email)).toBeVisible()
    await expect(drawer.getByRole('link', { name: 'Login' })).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => history.state?.layer)).toBe(1)
    await page.goBack()
    await expect(drawer).toBeHidden()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test.runIf(isDeep)('has icons in its menus where the browser has no popovers', async () => {
    const page = await site.visit('/robots.txt')
    await page.addInitScript(() => {
      for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
        Reflect.deleteProperty(HTMLElement.prototype, name)
    })
    await page.goto('/')
    await waitForHydration(page)
    await expect(bar(page).locator('[popover][aria-label="News"] svg')).toHaveCount(3)
    await bar(page).getByRole('button', { name: 'News' }).click()
    await bar(page).getByRole('link', { name: 'Today in Tech' }).click()
    await page.waitForURL('**/today-in-tech')
  })

  test('is a drawer with collapsible groups on a phone', async () => {
    const page = await site.visit('/', { viewport: PHONE })
    await expect(bar(page).getByRole('link', { name: 'About' })).toBeHidden()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    const box = await drawer.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(PHONE.width)
    for (const [name, href] of LINKS) {
      await expect(drawer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
    }
    await drawer.getByText('Tools').click()
    await expect(drawer.getByRole('link', { name: 'Paste Service' })).toBeHidden()
    await drawer.getByRole('link', { name: 'DTPChan' }).click()
    await page.waitForURL('**/dtpchan')
    await expect(drawer).toBeHidden()
  })

  test('keeps layout and player across navigations, including a client-side 404', async () => {
    const page = await site.visit('/')
    await player(page).getByLabel('Volume').fill('0.83')
    await page.evaluate(() => {
      for (const selector of ['header', '[aria-label="Radio player"]', '#main']) {
        const element = document.querySelector(selector) as HTMLElement & { mark?: number }
        element.mark = 1
      }
    })
    const alive = () =>
      page.evaluate(() =>
        ['header', '[aria-label="Radio player"]', '#main'].every(
          (selector) => 'mark' in (document.querySelector(selector) ?? {}),
        ),
      )
    await bar(page).getByRole('button', { name: 'News' }).click()
    await bar(page).getByRole('link', { name: 'DTPChan' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('DTPChan')
    expect(await alive()).toBe(true)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('DTPChan Admin Login')
    await bar(page).getByRole('link', { name: 'About' }).click()
    await page.waitForURL('**/about')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await alive()).toBe(true)
    await page.goBack()
    expect(await alive()).toBe(true)
    await expect(player(page).getByLabel('Volume')).toHaveValue('0.83')
    await page.reload()
    await expect(player(page).getByLabel('Volume')).toHaveValue('0.83')
  })
})

test('keeps its page and current texts while the browser translates them', async () => {
  const page = await site.visit('/paste-service', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.evaluate(startTranslator)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PASTE SERVICE')
  await expect(page.getByText('dmesg | curl')).toBeVisible()
  await page.getByLabel('Content').fill('Kept')
  await page.getByRole('button', { name: 'CREATE PASTE', exact: true }).click()
  await page.getByRole('button', { name: 'COPY URL', exact: true }).click()
  await expect(page.getByRole('button', { name: 'COPIED!', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PASTE SERVICE')
  await bar(page).getByRole('link', { name: 'HOME', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await player(page).getByRole('button', { name: 'Play' }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

/** Does to the page what the translator of Chromium does: it replaces texts by elements, also those that come later. */
function startTranslator() {
  const translate = (text: Text) => {
    if (text.data.trim() === '' || text.parentElement?.closest('font, script, style, textarea')) return
    if (text.parentElement?.translate === false) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.data.toUpperCase()
    outer.append(inner)
    text.before(outer)
    text.remove()
  }
  const translateIn = (root: Node) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const all = root instanceof Text ? [root] : []
    while (texts.nextNode()) all.push(texts.currentNode as Text)
    all.forEach(translate)
  }
  translateIn(document.body)
  new MutationObserver((records) => {
    for (const { addedNodes } of records) addedNodes.forEach(translateIn)
  }).observe(document.body, { childList: true, subtree: true })
}

test('shows the radio in the idle player', async () => {
  const page = await site.visit('/')
  // The server renders no track in the player; the page loads the current one.
  expect(await (await page.request.get('/about')).text()).not.toContain('No track playing')
  await expect(player(page).getByText('Carrier Wave')).toBeVisible()
  await expect(player(page).getByRole('button', { name: 'Play' })).toBeVisible()
  const volume = player(page).getByLabel('Volume')
  for (const [name, value] of Object.entries({ min: '0', max: '1', step: '0.01' })) {
    await expect(volume).toHaveAttribute(name, value)
  }
  await expect(volume).toHaveValue('0.5')
})

describe('the logged-in user', () => {
  test('is shown with role and logout on every page, and a logout ends the session on the server', async () => {
    const page = await site.visit('/dtpchan')
    await site.logIn(page)
    for (const path of ['/', '/dtpchan', '/login']) {
      await page.goto(path)
      await expect(bar(page).getByText(ADMIN.email)).toBeVisible()
      await expect(bar(page).getByText('admin', { exact: true })).toBeVisible()
    }
    const token = await page.evaluate(() => localStorage.getItem('dtpchan_token'))
    await bar(page).getByRole('button', { name: 'Log out' }).click()
    await expect(bar(page).getByText(ADMIN.email)).toBeHidden()
    expect(await page.evaluate(() => localStorage.getItem('dtpchan_token'))).toBeNull()
    const refused = () =>
      page.request.post('/api/dtpchan/boards', { headers: { authorization: `Bearer ${token}` }, data: {} })
    await expect.poll(async () => (await refused()).status()).toBe(401)
  })

  test.each(
    someOf([
      ['/login?next=/programs-we-love', '/programs-we-love'],
      ['/login', '/dtpchan'],
    ]),
  )('is redirected from %s to %s, and Back returns to the previous page', async (from, to) => {
    const page = await site.visit('/about')
    await site.logIn(page)
    await page.goto(from, { waitUntil: 'commit' })
    await page.waitForURL(`**${to}`)
    await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Login')
    await page.goBack()
    await page.waitForURL('**/about')
  })

  test.runIf(isDeep).each(
    someOf([
      [
        'refused by the server',
        `e30.${btoa(JSON.stringify({ email: 'x@y.z', role: 'admin', exp: 9_999_999_999 }))}.AAAA`,
      ],
      ['undecodable', 'not.a.token'],
    ]),
  )('removes a token that is %s', async (_name, token) => {
    const page = await site.visit('/dtpchan')
    await page.evaluate((value) => localStorage.setItem('dtpchan_token', value), token)
    await page.reload()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('dtpchan_token'))).toBeNull()
    await expect(page.getByRole('button', { name: 'Create New Board' })).toHaveCount(0)
  })
})

test('follows the system theme until it is switched, and keeps the choice', async () => {
  const page = await site.visit('/', { colorScheme: 'dark' })
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const console = () => player(page).evaluate((element) => getComputedStyle(element).backgroundColor)
  const [dark, skin] = [await background(), await console()]
  await page.getByRole('button', { name: 'Switch theme' }).click()
  const light = await background()
  expect(light).not.toBe(dark)
  expect(await console()).toBe(skin)
  await page.reload()
  expect(await background()).toBe(light)
})
