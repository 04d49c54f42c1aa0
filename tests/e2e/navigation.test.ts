import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { archiveMessages } from '#src/contract/archive.ts'
import { boardMessages } from '#src/contract/board.ts'
import { imageMessages } from '#src/contract/image.ts'
import { newsMessages } from '#src/contract/news.ts'
import { pasteMessages } from '#src/contract/paste.ts'
import { programMessages } from '#src/contract/program.ts'

import { expect, expectAccessible, openStage, type Stage } from '../helpers/browser.ts'
import { json, runCommand } from '../helpers/process.ts'

const BOARD = '/dtpchan/board/technology'
const DATA = '**/*.pageContext.json*'
const HTML_502 = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }

let stage: Stage
let thread: string

beforeAll(async () => {
  stage = await openStage()
  const { code, output } = await runCommand(stage.place, ['seed', '--threads', '2', '--comments', '3'])
  if (code !== 0) throw new Error(output)
  const { threads } = await json(await fetch(`${stage.site.origin}/api/dtpchan/boards/technology/threads`))
  thread = `${BOARD}/thread/${threads[0].id}`
})
afterAll(() => stage.close())

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** Follows a link to any page of the site, as one in a text would lead there. */
const follow = (page: Page, path: string) =>
  page.evaluate((href) => {
    const link = document.createElement('a')
    link.href = href
    document.body.append(link)
    link.click()
    link.remove()
  }, path)

/** Fails if the page is loaded again, which would stop the radio. */
async function expectSameDocument(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await act()
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
}

describe('a page whose data do not arrive', () => {
  const pages: [path: () => string, text: string][] = [
    [() => '/dtpchan', boardMessages.loadBoards],
    [() => BOARD, boardMessages.loadThreads],
    [() => thread, boardMessages.loadThread],
    [() => '/archive', archiveMessages.loadStreamers],
    [() => '/today-in-tech', newsMessages.load],
    [() => '/programs-we-love', programMessages.load],
    [() => '/paste/abcdefghijklmnopqrstuv', pasteMessages.load],
    [() => '/image-share/abcdefghijklmnopqrstuv', imageMessages.loadShare],
    [() => '/about', 'This page could not be loaded'],
    [() => '/no-such-page', 'This page could not be loaded'],
  ]

  test('shows its own error text and a way to try again', async () => {
    const page = await stage.visit('/login')
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

  test('opens with the next try, whatever the failure was', async () => {
    const page = await stage.visit('/login')
    for (const fail of [
      () => page.route(DATA, (route) => route.fulfill(HTML_502)),
      () => page.route(DATA, (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'busy' })),
      () => page.route(DATA, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: 'nothing' })),
      () => page.route(DATA, (route) => route.fulfill({ contentType: 'application/json', body: '{"cut' })),
      () => page.route(DATA, (route) => route.abort()),
    ]) {
      await fail()
      await follow(page, BOARD)
      await expect(alert(page)).toHaveText(boardMessages.loadThreads)
      await page.unroute(DATA)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(heading(page)).toContainText('/technology/')
      await follow(page, '/login')
      await expect(heading(page)).toHaveText('DTPChan Admin Login')
    }
  })

  test('is shown all the same if it needs none, or only some', async () => {
    const page = await stage.visit('/login')
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
    await expect(alert(page)).toHaveText([boardMessages.loadThreads, newsMessages.load])
  })
})
