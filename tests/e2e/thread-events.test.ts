import { eq } from 'drizzle-orm'
import type { Page, Request, Route } from 'playwright'
import { afterAll, beforeAll, test } from 'vitest'
import { openDatabase } from '#db/client.server.ts'
import { post } from '#db/schema/index.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let client: SiteClient
let path: string
let comments: string
let threadId: number
beforeAll(async () => {
  site = await startBrowserSite()
  const made = await createBoardWithThread(site.server.origin, 'Live')
  client = made.client
  path = made.path
  threadId = made.threadId
  comments = `${made.threads}/${threadId}/comments`
  await client.post(comments, { content: 'The first comment' })
})
afterAll(() => site.close())

const comment = (page: Page, text: string) => page.locator('.comment').filter({ hasText: text })

/** Makes open pages of the thread fetch it again. */
async function makeStale(): Promise<void> {
  const { db, close } = await openDatabase({ ...site.location, mode: 'command' })
  await db.transaction((tx) => publish(tx, new Date(), [{ topic: `thread:${threadId}`, change: { kind: 'stale' } }]))
  await close()
}

test.runIf(isDeep)('keeps a comment that arrives while two fetches overlap, whichever ends last', async () => {
  const page = await site.visit('/robots.txt')
  // As an extension can do: the page then fetches its posts.
  await page.addInitScript(() =>
    document.addEventListener('DOMContentLoaded', () => {
      document.querySelector('main [data-opening]')?.replaceChildren()
    }),
  )
  const answers: (() => Promise<void>)[] = []
  await page.route('**/trpc/*board.shownThread*', async (route: Route) => {
    const response = await route.fetch()
    answers.push(() => route.fulfill({ response }))
  })
  const answer = (number: number) => expect.poll(() => answers[number]).toBeDefined()
  await page.goto(path)
  await answer(0)
  await expect
    .poll(async () => {
      await makeStale()
      return answers.length
    })
    .toBeGreaterThan(1)
  await answers[1]?.()
  await expect(page.locator('main [data-opening] header')).toHaveCount(1)
  await client.post(comments, { content: 'Newer than both answers' })
  await expect(comment(page, 'Newer than both answers')).toBeVisible()
  const answered = page.waitForResponse('**/trpc/*board.shownThread*')
  await answers[0]?.()
  await (await answered).finished()
  // Another change shows that the page has applied the late answer.
  await client.post(comments, { content: 'Sent last' })
  await expect(comment(page, 'Sent last')).toBeVisible()
  await expect(comment(page, 'Newer than both answers')).toBeVisible()
})

test.runIf(isDeep)('shows a change of the byline of the opening post', async () => {
  const page = await site.visit(path)
  const { db, close } = await openDatabase({ ...site.location, mode: 'command' })
  await db.update(post).set({ sage: true }).where(eq(post.id, threadId))
  await close()
  await makeStale()
  await expect(page.locator('main [data-opening] header').getByText('sage', { exact: true })).toBeVisible()
})

test('ends its connection while the tab is hidden, and then shows what it has missed', async () => {
  const page = await site.visit('/robots.txt')
  const isEvents = (request: Request) => request.url().includes('/site.events')
  // The player joins the connection after some seconds, which opens it again.
  const opened = page.waitForRequest((request) => isEvents(request) && request.url().includes('radio'))
  await page.goto(path)
  await opened
  const show = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  // A request that the page aborts has failed.
  const ended = page.waitForEvent('requestfailed', isEvents)
  await show(true)
  await ended
  await client.post(comments, { content: 'Sent to a hidden tab' })
  await show(false)
  await expect(comment(page, 'Sent to a hidden tab')).toBeVisible()
})
