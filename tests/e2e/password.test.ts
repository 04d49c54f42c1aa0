import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'

let site: BrowserSite
beforeAll(async () => {
  site = await startBrowserSite()
})
afterAll(() => site.close())

const PATH = '/password-generator'
const CLASSES = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!@#$%^&*()_+\-=[\]{}|;:,.<>?]/]
const permissions = ['clipboard-read', 'clipboard-write']

const field = (page: Page) => page.getByLabel('Generated password')
const generate = (page: Page) => page.getByRole('button', { name: 'Generate New Password' })
const copied = (page: Page) => page.getByText('Password copied to clipboard!')

test('renders no password on the server', async () => {
  const html = await (await fetch(`${site.server.origin}${PATH}`)).text()
  const [input] = /<input[^>]*readonly[^>]*>/i.exec(html) ?? []
  expect(input).toMatch(/ value=""/)
  expect(html.match(/<h1/g)).toHaveLength(1)
  expect(html).toContain('Strong')
  expect(html).not.toMatch(/ style="/)
})

describe.each(
  someOf([
    ['1440 px', DESKTOP],
    ['390 px', PHONE],
  ]),
)('at %s', (_name, viewport) => {
  test('generates a password on load, on a new length, and on the button', async () => {
    const page = await site.visit(PATH, { viewport })
    await expect(field(page)).toHaveJSProperty('readOnly', true)
    await expect(field(page)).toHaveValue(/^\S{16}$/)
    const seen = new Set([await field(page).inputValue()])
    for (const [length, strength] of [
      ['8', 'Medium'],
      ['12', 'Strong'],
      ['16', 'Strong'],
    ] as const) {
      await page.getByLabel('Password length').selectOption(length)
      await expect(field(page)).toHaveValue(new RegExp(`^\\S{${length}}$`))
      await expect(page.getByText(strength, { exact: true })).toBeVisible()
      await expect(page.getByText(/^\d+\.\d bits$/)).toBeVisible()
      for (let number = 0; number < 5; number++) {
        const password = await field(page).inputValue()
        for (const members of CLASSES) expect(password).toMatch(members)
        expect(password).toHaveLength(Number(length))
        expect(seen.has(password)).toBe(false)
        seen.add(password)
        await generate(page).click()
      }
      seen.add(await field(page).inputValue())
    }
    const fits = await field(page).evaluate((input) => input.scrollWidth <= input.clientWidth)
    expect(fits).toBe(true)
  })

  test.runIf(isDeep)('confirms a copy for two seconds', async () => {
    const page = await site.visit(PATH, { viewport, permissions })
    await expect(field(page)).toHaveValue(/./)
    await expect(copied(page)).toHaveCount(0)
    const before = await generate(page).boundingBox()
    // Stops the page's clock between steps, so that a slow machine cannot break the test.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(copied(page)).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await field(page).inputValue())
    expect(await generate(page).boundingBox()).toEqual(before)
    await page.clock.runFor(1900)
    await expect(copied(page)).toBeVisible()
    await page.clock.runFor(200)
    await expect(copied(page)).toHaveCount(0)
  })

  test.runIf(isDeep)('clears the copy confirmation when a new password is generated', async () => {
    const page = await site.visit(PATH, { viewport, permissions })
    await expect(field(page)).toHaveValue(/./)
    // Stops the clock, so that the confirmation does not disappear by itself.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(copied(page)).toBeVisible()
    await generate(page).click()
    await expect(copied(page)).toHaveCount(0)
  })

  test.runIf(isDeep)('does not shift the layout on hydration or when the fonts arrive late', async () => {
    const page = await site.visit(PATH, { viewport })
    // Routes are not cached, so the reload waits for the fonts too.
    await page.route('**/*.woff2', async (route) => {
      await sleep(500)
      await route.continue()
    })
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await expect(field(page)).toHaveValue(/./)
    await expect(page.locator('html')).not.toHaveAttribute('data-fonts', 'late')
    const { shift, fonts } = await page.evaluate(async () => {
      await document.fonts.ready
      const shift = await new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0))
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 500)
      })
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'))
      return { shift, fonts: files.map(({ duration }) => duration) }
    })
    expect(fonts).toHaveLength(2)
    for (const duration of fonts) expect(duration).toBeGreaterThan(400)
    expect(shift).toBeLessThan(0.01)
  })
})

test('generates passwords offline, without a request of its own', async () => {
  const page = await site.visit(PATH, { permissions })
  await page.waitForLoadState('networkidle')
  const requests: string[] = []
  // The connection for events opens some seconds after the page, and idle pages load further code. The player asks for
  // the next track and its picture.
  page.on('request', (request) => {
    const isOfPlayer = /^\/api\/radio\//.test(new URL(request.url()).pathname)
    if (!['eventsource', 'script'].includes(request.resourceType()) && !isOfPlayer) requests.push(request.url())
  })
  await page.context().setOffline(true)
  for (const length of ['8', '12', '16']) {
    await page.getByLabel('Password length').selectOption(length)
    await expect(field(page)).toHaveValue(new RegExp(`^\\S{${length}}$`))
    await generate(page).click()
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect(copied(page)).toBeVisible()
  }
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
  expect(kept).not.toContain(await field(page).inputValue())
  expect(requests).toEqual([])
})

test.runIf(isDeep)('can be used with the keyboard only', async () => {
  const page = await site.visit(PATH, { permissions })
  await field(page).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(copied(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowUp')
  await expect(field(page)).toHaveValue(/^\S{12}$/)
  const before = await field(page).inputValue()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(field(page)).not.toHaveValue(before)
})
