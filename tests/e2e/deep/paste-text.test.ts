import { readFile } from 'node:fs/promises'
import { describe, expect as expectValue, test } from 'vitest'
import { expect, PHONE } from '#tests/helpers/browser.ts'
import {
  clipboard,
  copied,
  createPaste,
  get,
  site,
  startPasteSite,
  submitPasteForm,
} from '#tests/helpers/pastePages.ts'

startPasteSite()

describe('the text', () => {
  test('has line numbers that are links and are not copied', async () => {
    const text = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`).join('\n')
    const { path } = await createPaste({ content: `${text}\n`, language: 'plain' })
    const page = await site.visit(`${path}#L80-L82`, clipboard)
    await expect(page.locator('#L80')).toBeInViewport()
    await expect(page.locator('[data-marked]')).toHaveCount(3)
    await page.locator('a[data-line="90"]').click()
    await expect(page).toHaveURL(/#L90$/)
    await page.locator('a[data-line="85"]').click({ modifiers: ['Shift'] })
    await expect(page).toHaveURL(/#L85-L90$/)
    await expect(page.locator('[data-marked]')).toHaveCount(6)
    await page.locator('pre').click()
    await page.evaluate(() => {
      const code = document.querySelector('pre code')
      if (code) getSelection()?.selectAllChildren(code)
    })
    await page.keyboard.press('Control+C')
    await expect.poll(async () => (await copied(page)).trimEnd()).toBe(text)
  })

  test('can be wrapped', async () => {
    const { path } = await createPaste({ content: `const a = '${'x'.repeat(3000)}'`, language: 'javascript' })
    const page = await site.visit(path, { viewport: PHONE })
    const overflow = () => page.locator('pre').evaluate((element) => element.scrollWidth - element.clientWidth)
    expectValue(await overflow()).toBeGreaterThan(1000)
    await page.getByLabel('Wrap lines').check()
    await expect.poll(overflow).toBe(0)
  })

  test('is printed from the first page on, with whole lines', async () => {
    const { path } = await createPaste({ content: 'word '.repeat(300), language: 'plain' })
    const page = await site.visit(path)
    await page.emulateMedia({ media: 'print' })
    // An inline block does not break between pages, so it begins after empty ones.
    await expect(page.locator('pre code')).toHaveCSS('display', 'block')
    expectValue(await page.locator('pre').evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  })

  test('is truncated on the page when it has 1 MiB, and copied and downloaded completely', async () => {
    const text = `${'0123456789abcdef '.repeat(6)}\n`.repeat(10_180)
    const { path, id } = await createPaste({ content: text })
    const page = await site.visit(path, clipboard)
    await expect(page.locator('#L970')).toBeAttached()
    await expect(page.locator('#L971')).not.toBeAttached()
    await expect(page.getByText('You see the first 970 of 10180 lines')).toBeVisible()
    await page.getByRole('button', { name: 'Copy Content' }).click()
    await expect.poll(async () => (await copied(page)) === text).toBe(true)
    const raw = page.getByRole('link', { name: 'open it raw' })
    await expect(raw).toHaveAttribute('href', `/paste/${id}/raw`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'download it' }).click()
    expectValue(await readFile(await (await download).path(), 'utf8')).toBe(text)
  })

  test('is shown completely when the paste burns', async () => {
    const { path } = await createPaste({ content: `${'x'.repeat(99)}\n`.repeat(1_100), burnAfterReading: true })
    const page = await site.visit(path)
    await page.getByRole('button', { name: 'Read and delete' }).click()
    await expect(page.locator('#L1100')).toBeAttached()
  })

  test('is shown completely when it was encrypted in the browser', async () => {
    const page = await site.visit('/paste-service')
    await page.getByRole('checkbox', { name: /^Encrypt in the browser/ }).check()
    const url = await submitPasteForm(page, `${'x'.repeat(99)}\n`.repeat(1_100))
    const source = await (await get(new URL(url).pathname)).text()
    expectValue(source.length).toBeLessThan(100_000)
    const reader = await site.visit(url)
    await expect(reader.locator('#L1100')).toBeAttached()
  })

  test('has a QR code of its URL', async () => {
    const { path } = await createPaste()
    const page = await site.visit(path)
    await page.getByRole('button', { name: 'QR code' }).click()
    await expect(page.getByRole('img', { name: `QR code of ${site.server.origin}${path}` })).toBeVisible()
  })
})

test('counts down the remaining time until the paste expires', async () => {
  const { path } = await createPaste({ expiryHours: 1 })
  const page = await site.visit('/paste-service')
  // A visitor whose clock is wrong by days.
  const openedAt = Date.now() + 3 * 24 * 60 * 60_000
  await page.clock.install({ time: openedAt })
  await page.goto(path)
  await expect(page.getByText('59m remaining')).toBeVisible()
  await page.clock.fastForward('31:00')
  await expect(page.getByText(/^2[89]m remaining$/)).toBeVisible()
  await page.clock.fastForward('28:00')
  // Ten seconds after the paste expired, not a minute after the last update.
  await page.clock.pauseAt(openedAt + 60 * 60_000 + 10_000)
  await expect(page.getByText('Expired', { exact: true })).toBeVisible()
})
