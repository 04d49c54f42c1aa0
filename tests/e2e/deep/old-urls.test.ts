import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { fourchanThread, writeFolder } from '#tests/helpers/oldBoards.ts'
import { createAdminClient } from '#tests/helpers/siteClient.ts'
import { runCommand } from '#tests/helpers/siteProcess.ts'

let site: BrowserSite
let folder: string
beforeAll(async () => {
  site = await startBrowserSite()
  // The numbers of the old board are taken, so its posts get others.
  const client = await createAdminClient(site.server.origin)
  const { threads } = await client.createBoard('Own')
  for (let n = 0; n < 3; n++) await client.post(threads, { title: 'A thread', content: 'text' })
  const answers = Array.from({ length: 30 }, (_, at) => ({ no: at + 2, com: `answer ${at}<br>`.repeat(5) }))
  folder = await writeFolder({ 'old/res/1.json': fourchanThread(1, answers) })
  const { code } = await runCommand(site.location, ['import', '4chan-json', folder])
  expect(code).toBe(0)
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

test('leads from fragments of old URLs to their posts, and leaves unknown ones', async () => {
  const page = await site.visit('/')
  for (const path of ['/old/res/1.html#28', '/old/res/1.html#q28']) {
    await page.goto('about:blank')
    await page.goto(`${site.server.origin}${path}`)
    await expect
      .poll(() => page.evaluate(() => location.pathname + location.hash))
      .toBe('/dtpchan/board/old/thread/4#p31')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
  }
  // 4chan's fragments look like those of this site, which win.
  await page.goto(`${site.server.origin}/old/thread/1#p2`)
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#p5')
  await page.goto('about:blank')
  const answered = page.waitForResponse(/importedId/)
  await page.goto(`${site.server.origin}/old/res/1.html#999`)
  await (await answered).finished()
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#999')
})
