import sharp from 'sharp'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { APPEARANCES, type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let image: File
beforeAll(async () => {
  site = await startBrowserSite()
  const bytes = await sharp({ create: { width: 1080, height: 25_000, channels: 3, background: '#8b58fc' } })
    .png()
    .toBuffer()
  image = new File([new Uint8Array(bytes)], 'tall.png', { type: 'image/png' })
})
afterAll(() => site.close())

test('a very tall image is as wide as the page of its share, and scrolls', async () => {
  const { url } = await postForm(site.server.origin, '/api/image-share', { image, expiryHours: '1' })
  for (const look of APPEARANCES) {
    const page = await site.visit(new URL(url).pathname, look)
    const box = await page.getByRole('main').getByRole('img').boundingBox()
    const width = Math.min(1080, look.viewport.width - 60)
    expectValue(box?.width).toBeGreaterThan(width - 40)
    expectValue((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(25_000 / 1080, 0)
    await page.context().close()
  }
})

test('a very tall image of a post shows its upper part, as wide as the text', async () => {
  const { threads, threadId } = await createBoardWithThread(site.server.origin, 'Tall')
  await postForm(site.server.origin, `${threads}/${threadId}/comments`, { content: 'tall', image })
  const page = await site.visit(`/dtpchan/board/tall/thread/${threadId}`)
  const shown = page.getByRole('article').filter({ hasText: 'tall' }).last().getByRole('img')
  await expect(shown).toHaveJSProperty('complete', true)
  const box = await shown.boundingBox()
  expectValue([box?.width, Math.round(box?.height ?? 0)]).toEqual([680, 300])
  await page.context().close()
})

test('the viewer scrolls tall images by keyboard, each from its top', async () => {
  const { threads, threadId } = await createBoardWithThread(site.server.origin, 'Viewer')
  const image = new File([await stillImage(400, 2400).png().toBuffer()], 'tall.png', { type: 'image/png' })
  for (const content of ['first', 'second']) {
    await postForm(site.server.origin, `${threads}/${threadId}/comments`, { content, image })
  }
  const page = await site.visit(`/dtpchan/board/viewer/thread/${threadId}`)
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await page.getByRole('article').filter({ hasText: 'first' }).getByRole('img').click()
  await page.getByRole('button', { name: 'View all' }).click()
  const stage = page.getByRole('dialog').getByRole('group', { name: /^Attached to/ })
  const position = () => stage.evaluate((element) => element.scrollTop)
  await expect(stage.getByRole('img')).toHaveJSProperty('complete', true)
  await page.keyboard.press('Tab')
  await expect(stage).toBeFocused()
  await page.keyboard.press('PageDown')
  await expect.poll(position).toBeGreaterThan(300)
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('2 / 2')
  expectValue(await position()).toBe(0)
})
