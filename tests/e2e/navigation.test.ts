import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { type BrowserSite, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { expectSound, key, player, sound, startRadio } from '#tests/helpers/player.ts'
import { readJson, seed } from '#tests/helpers/siteProcess.ts'

const BOARD = '/dtpchan/board/technology'
const DATA = '**/*.pageContext.json*'
const HTML_502 = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }

let site: BrowserSite
let thread: string

beforeAll(async () => {
  site = await startBrowserSite()
  await seed(site.location, '--threads 2 --comments 3')
  const { threads } = await readJson(await fetch(`${site.server.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => site.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** Navigates to any page by clicking a link that it adds to the document. */
const follow = (page: Page, path: string) =>
  page.evaluate((href) => {
    const link = document.createElement('a')
    link.href = href
    document.body.append(link)
    link.click()
    link.remove()
  }, path)

/** Fails on a full page load, which would stop the radio. */
async function expectSameDocument(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await act()
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
}

describe('a page whose data fails to load', () => {
  const pages: [path: () => string, text: string][] = [
    [() => '/dtpchan', t('board.loadBoards')],
    [() => BOARD, t('board.loadThreads')],
    [() => thread, 'Failed to load thread'],
    [() => '/archive', 'Failed to load streamers. Please try again later.'],
    [() => '/today-in-tech', t('news.failed')],
    [() => '/programs-we-love', 'Failed to load programs'],
    [() => '/paste/abcdefghijklmnopqrstuv', 'Failed to load paste'],
    [() => '/image-share/abcdefghijklmnopqrstuv', 'Failed to load image share'],
    [() => '/about', 'This page could not be loaded'],
    [() => '/no-such-page', 'This page could not be loaded'],
  ]

  test.runIf(isDeep)('shows an error and a retry button', async () => {
    const page = await site.visit('/login')
    await page.route(DATA, (route) => route.fulfill(HTML_502))
    await expectSameDocument(page, async () => {
      for (const [path, text] of pages) {
        await follow(page, path())
        await page.waitForURL(`**${path()}`)
        await expect(alert(page)).toHaveText(text)
        await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeEnabled()
      }
      await expectAccessible(page)
    })
  })

  test.runIf(isDeep)('opens on retry after any kind of failure', async () => {
    const page = await site.visit('/login')
    for (const fail of [
      () => page.route(DATA, (route) => route.fulfill(HTML_502)),
      () => page.route(DATA, (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'busy' })),
      () => page.route(DATA, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: 'nothing' })),
      () => page.route(DATA, (route) => route.fulfill({ contentType: 'application/json', body: '{"cut' })),
      () => page.route(DATA, (route) => route.abort()),
    ]) {
      await fail()
      await follow(page, BOARD)
      await expect(alert(page)).toHaveText(t('board.loadThreads'))
      await page.unroute(DATA)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(heading(page)).toContainText('/technology/')
      await follow(page, '/login')
      await expect(heading(page)).toHaveText('DTPChan Admin Login')
    }
  })

  test('opens pages that need no data, and reports the missing parts of others', async () => {
    const page = await site.visit('/login')
    await page.route(DATA, (route) => route.abort())
    for (const [path, title] of [
      ['/password-generator', 'Password Generator'],
      ['/paste-service', 'Paste Service'],
      ['/image-sharing', 'Image Sharing'],
    ] as const) {
      await follow(page, path)
      await expect(heading(page)).toHaveText(title)
      await expect(alert(page)).toHaveCount(0)
    }
    await follow(page, '/')
    await expect(alert(page)).toHaveText([t('board.loadThreads'), t('news.failed')])
  })
})

test.runIf(isDeep).each([
  ['a mouse', { hasTouch: false }],
  ['a finger', { hasTouch: true, viewport: PHONE }],
])('loads the code of a page once when %s is at its link, and follows nothing else', async (_pointer, options) => {
  const page = await site.visit(thread, options)
  const code: string[] = []
  page.on('request', (request) => code.push(request.url()))
  const pointAt = (name: string | RegExp) => {
    const link = page.getByRole('main').getByRole('link', { name, exact: true })
    return options.hasTouch ? link.dispatchEvent('touchstart') : link.hover()
  }
  await expect(page.getByRole('button', { name: 'Comment', exact: true }).first()).toBeEnabled()
  for (let time = 0; time < 2; time++) {
    for (const name of [/^Atom feed/, '/technology/']) await pointAt(name)
  }
  const boards = () => code.filter((url) => url.includes('/pages_dtpchan_board_-boardId_index'))
  await expect.poll(boards).toHaveLength(1)
  expect(code.filter((url) => /feed|pageContext/.test(url))).toEqual([])
  await expect(page).toHaveURL(site.server.origin + thread)
  // Each listener of a link would take time in a long thread.
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', { expression: "document.querySelector('main a')" })
  const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
  expect(listeners).toEqual([])
})

describe('without a network', () => {
  const offline = (page: Page) => player(page).getByRole('alert').filter({ hasText: 'You are offline' })

  test('keeps page and music, explains the failure, and opens the link when the network is back', async () => {
    const page = await site.visit('/')
    await startRadio(page)
    await expectSameDocument(page, async () => {
      await page.context().setOffline(true)
      // Each click also hovers over the link, so the router prefetches code while offline.
      for (const name of ['About', 'Archive']) {
        await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
        await expect(offline(page)).toBeVisible()
        await expect(heading(page)).toContainText('DTP')
      }
      await expect(player(page).getByText('new version')).toHaveCount(0)
      await key(page, 'Try again').click()
      await expect(page.getByRole('status').getByText('Still offline')).toBeVisible()
      await expectSound(page)
      await page.context().setOffline(false)
      await page.waitForURL('**/archive')
      await expect(heading(page)).toHaveText('Broadcast archive')
      await expect(offline(page)).toBeHidden()
      await expectSound(page)
      expect((await sound(page)).elements).toBe(1)
    })
  })

  test('shows the offline page for a full load, which keeps the URL', async () => {
    const page = await site.visit('/about', { serviceWorkers: 'allow' })
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await page.context().setOffline(true)
    await page.goto('/dtpchan', { waitUntil: 'commit' })
    await expect(heading(page)).toHaveText('You are offline')
    await expect(page.getByRole('link', { name: 'Try again' })).toHaveCSS('color', 'rgb(255, 255, 255)')
    expect(new URL(page.url()).pathname).toBe('/dtpchan')
  })

  test.runIf(isDeep)('cancels a pending link, and Back waits for the network', async () => {
    const page = await site.visit('/')
    await follow(page, '/login')
    await expect(heading(page)).toHaveText('DTPChan Admin Login')
    await expectSameDocument(page, async () => {
      await page.context().setOffline(true)
      await follow(page, '/about')
      await key(page, 'Stay here').click()
      await expect(offline(page)).toBeHidden()
      await page.context().setOffline(false)
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
      await expect(heading(page)).toHaveText('DTPChan Admin Login')

      await page.context().setOffline(true)
      await page.goBack({ waitUntil: 'commit' })
      await expect(offline(page)).toBeVisible()
      await expect(heading(page)).toHaveText('DTPChan Admin Login')
      await page.context().setOffline(false)
      await expect(page.locator('#connect-title')).toBeVisible()
    })
  })

  test('explains the failure even if the network is lost before the alert has loaded', async () => {
    const page = await site.visit('/robots.txt')
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
    await page.goto('/')
    await page.context().setOffline(true)
    await follow(page, '/about')
    await expect(
      page.getByRole('status').getByText('You are offline. The page opens when the network is back.'),
    ).toBeVisible()
  })

  test.runIf(isDeep)('opens a page on Try again when the browser did not notice that the network is back', async () => {
    const page = await site.visit('/robots.txt')
    await page.addInitScript(() => addEventListener('online', (event) => event.stopImmediatePropagation()))
    await page.goto('/')
    // The player has loaded its alert when it plays.
    await startRadio(page)
    await expectSameDocument(page, async () => {
      await page.context().setOffline(true)
      await follow(page, '/about')
      await expect(offline(page)).toBeVisible()
      await page.context().setOffline(false)
      await key(page, 'Try again').click()
      await page.waitForURL('**/about')
    })
  })

  test.runIf(isDeep)('hides the alert when the site is reachable again', async () => {
    const page = await site.visit('/')
    await startRadio(page)
    await page.route(/\/assets\/|\/archive/, (route) => route.abort())
    await page.getByRole('banner').getByRole('link', { name: 'Archive', exact: true }).click()
    const alert = player(page).getByText('The site cannot be reached right now')
    await expect(alert).toBeVisible()
    await page.unroute(/\/assets\/|\/archive/)
    await expect(alert).toBeHidden()
    await expectSound(page)
  })

  test.runIf(isDeep)('shows no new version while the site is unreachable', async () => {
    const page = await site.visit('/')
    await startRadio(page)
    await page.route(/\/assets\/|\/archive/, (route) => route.abort())
    await page.getByRole('banner').getByRole('link', { name: 'Archive', exact: true }).click()
    await expect(player(page).getByText('The site cannot be reached right now')).toBeVisible()
    await expectSound(page)
    await page.unroute(/\/assets\/|\/archive/)
    await key(page, 'Try again').click()
    await expect(player(page).getByText('stops the radio')).toBeVisible()
    await key(page, 'Open it').click()
    await expect(heading(page)).toHaveText('Broadcast archive')
  })
})

describe('a slow navigation', () => {
  const progress = (page: Page) => page.getByRole('status').getByText('Loading the page')

  test('shows its progress until the page is loaded', async () => {
    const page = await site.visit('/login')
    const answers: (() => void)[] = []
    await page.route(DATA, async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      await route.continue()
    })
    await follow(page, BOARD)
    await expect(progress(page)).toBeVisible()
    await expectAccessible(page)
    // The bar can appear before the request, while the page's code is loaded.
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.()
    await expect(heading(page)).toContainText('/technology/')
    await expect(progress(page)).toHaveCount(0)
  })
})
