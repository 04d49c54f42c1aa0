import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type BrowserSite, expect, PHONE, solveCaptcha, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let thread: string
beforeAll(async () => {
  site = await startBrowserSite()
  const { threadId } = await createBoardWithThread(site.server.origin, 'Pictures')
  thread = `/dtpchan/board/pictures/thread/${threadId}`
})
afterAll(() => site.close())

const createFile = async (name: string, width: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await stillImage(width, 300).png().toBuffer(),
})
const listNames = (page: Page) => page.getByRole('list', { name: 'Chosen images' }).locator('strong').allTextContents()

/** Pastes or drops files anywhere on the page. @param texts what the clipboard contains beside them, by its type */
const give = (
  page: Page,
  how: 'paste' | 'drop',
  files: { name: string; buffer: Buffer }[],
  texts: Record<string, string> = {},
) =>
  page.evaluate(
    ([kind, given, beside]) => {
      const data = new DataTransfer()
      for (const [type, text] of Object.entries(beside)) data.setData(type, text)
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        data.items.add(new File([bytes], name, { type: 'image/png' }))
      }
      const init = { bubbles: true, cancelable: true }
      document.body.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }),
      )
    },
    [how, files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') })), texts] as const,
  )

test('images are chosen, pasted, dropped and removed, and shown in their order', async () => {
  const page = await site.visit(thread)
  await page.getByRole('button', { name: 'Comment', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles([await createFile('a.png', 400), await createFile('b.png', 410)])
  // Table cells come with a picture of them, a file with its name.
  await give(page, 'paste', [await createFile('cells.png', 420)], { 'text/plain': '1', 'text/html': '<table></table>' })
  await give(page, 'paste', [await createFile('c.png', 420)], { 'text/plain': 'c.png' })
  await expect.poll(() => listNames(page)).toEqual(['a.png', 'b.png', 'c.png'])
  await expect(dialog.getByText(/^\d+\.\d kB$/)).toHaveCount(3)
  await give(page, 'drop', [await createFile('d.png', 430), await createFile('e.png', 440)])
  await expect(dialog.getByRole('alert')).toContainText('At most 4 images can be attached')
  expectValue(await listNames(page)).toEqual(['a.png', 'b.png', 'c.png', 'd.png'])

  await dialog.getByRole('button', { name: 'Remove file b.png' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Remove file c.png' })).toBeFocused()
  await expect(dialog.getByRole('status').filter({ hasText: '3 images chosen' })).toBeAttached()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await give(page, 'drop', [{ name: 'broken.png', buffer: Buffer.from('no image') }])
  await expect(dialog.getByRole('alert')).toContainText('broken.png: Please select a valid image file')
  await input.setInputFiles([await createFile('f.png', 450)])
  await expect.poll(() => listNames(page)).toEqual(['a.png', 'c.png', 'd.png', 'f.png'])
  await expect(dialog.getByRole('alert')).toHaveCount(0)

  await dialog.getByLabel('Content', { exact: true }).fill('Four of them')
  await dialog.getByLabel('Username', { exact: true }).fill('gl1tch')
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: 'Post Comment' }).click()
  await expect(dialog).toBeHidden()
  const figures = page.locator('article', { hasText: 'Four of them' }).locator('figcaption')
  await expect(figures).toHaveText([/^400 × 300/, /^420 × 300/, /^430 × 300/, /^450 × 300/])

  await page.getByRole('img', { name: /image 2 of 4/ }).click()
  await page.getByRole('button', { name: 'View all' }).click()
  const viewer = page.getByRole('dialog', { name: 'Images of this thread' })
  await expect(viewer.getByText('2 / 4')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer.getByText('3 / 4')).toBeVisible()
  await expect(viewer.getByRole('img')).toHaveAttribute('width', '430')
})

test.runIf(isDeep)('images of a post fit beside each other on a phone, and reserve their space', async () => {
  const page = await site.visit(thread, { viewport: PHONE })
  // Without the files, the boxes must have their final sizes.
  const context = page.context()
  await context.route(/\/uploads\//, (route) => route.abort())
  await page.reload()
  const sizes = () =>
    page.locator('figure').evaluateAll((all) =>
      all.map((figure) => {
        const { x, y, width, height } = figure.getBoundingClientRect()
        return [x, y - (all[0]?.getBoundingClientRect().y ?? 0), width, height].map(Math.round)
      }),
    )
  const without = await sizes()
  await context.unroute(/\/uploads\//)
  await page.reload()
  await page.locator('figure').last().scrollIntoViewIfNeeded()
  await expect(page.locator('figure img').last()).toHaveJSProperty('complete', true)
  expectValue(await sizes()).toEqual(without)
  const [first, second, third] = without
  expectValue([second?.[1], (third?.[1] ?? 0) > 0]).toEqual([first?.[1], true])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expectValue(overflow).toBeLessThanOrEqual(0)
})
