import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { key, player, startRadio } from '#tests/helpers/player.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'

const LONG = 'A title that comes to no  end '.repeat(10)
const HOST = `the host of ${'z'.repeat(100)}`

let service: RadioService
let stage: BrowserSite

beforeAll(async () => {
  service = await startRadioService()
  const song = { title: LONG, artist: LONG, album: '', art: null }
  service.set('nowplaying', {
    json: {
      listeners: { total: 1_234_567, unique: 1_234_567, current: 1_234_567 },
      live: { is_live: true, streamer_name: HOST, broadcast_start: null, art: null },
      now_playing: { played_at: 1, duration: 0, elapsed: 10, song },
      song_history: [{ played_at: 1, song: { title: 'שלום עולם', artist: 'Łódź', album: '', art: null } }],
      is_online: true,
    },
  })
  stage = await startBrowserSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY }, { graphics: isDeep })
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

describe.each(
  someOf([
    ['a desktop', { width: 1440, height: 900 }],
    ['a phone', PHONE],
    ['the narrowest phone', { width: 320, height: 640 }],
  ]),
)('long names on %s', (_name, viewport) => {
  test.runIf(isDeep)('keep the size of the bar and the sheet in every layout', async () => {
    const page = await stage.visit('/', { viewport })
    await startRadio(page)
    const badge = player(page).getByText('Live', { exact: true })
    await expect(player(page).getByText('A title that comes to no end').first()).toBeVisible()
    const oneLine = async () => expect((await badge.boundingBox())?.height).toBeLessThan(24)
    await oneLine()
    expect((await player(page).boundingBox())?.height).toBeLessThan(76)
    await expect(page).toHaveTitle(/^♪ A title that comes to no end A title [^♪]{20,80} · [^♪]{1,40}$/)

    await key(page, 'Maximise').click()
    const restore = key(page, 'Restore')
    await expect(restore).toBeFocused()
    await oneLine()
    const edge = (await restore.boundingBox()) ?? { x: 0, width: 0 }
    expect(edge.x + edge.width).toBeLessThanOrEqual(viewport.width)
    const sideways = await player(page).evaluate(
      (bar) =>
        [bar, ...bar.querySelectorAll('*')].filter(
          (element) =>
            ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) &&
            element.scrollWidth > element.clientWidth,
        ).length,
    )
    expect(sideways).toBe(0)
    const cover = (await player(page).getByRole('img', { name: 'No cover' }).boundingBox()) ?? { width: 0, height: 1 }
    expect(Math.round(cover.height)).toBe(Math.round(cover.width))
    await expectAccessible(page)

    await key(page, 'Minimise').click()
    await expect.poll(async () => (await player(page).boundingBox())?.height).toBeLessThan(56)
    await oneLine()
  })
})

test.runIf(isDeep)('keeps all visualiser controls visible on the narrowest phone', async () => {
  const page = await stage.visit('/visualizer', { viewport: { width: 320, height: 640 } })
  await page.getByRole('main').getByRole('button', { name: 'Play Radio' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Show anyway' }).click()
  const last = page.getByRole('main').getByRole('button', { name: 'Keyboard shortcuts' })
  await expect(last).toBeVisible()
  const { x, width } = (await last.boundingBox()) ?? { x: 320, width: 0 }
  expect(x + width).toBeLessThanOrEqual(312)
  const title = await player(page).getByText('A title that comes to no end').first().boundingBox()
  expect(title?.width).toBeGreaterThan(80)
})

test.runIf(isDeep).each([490, 320])(
  'keeps the restore button visible when the sheet is higher than a window of %i px',
  async (height) => {
    const page = await stage.visit('/', { viewport: { width: 640, height } })
    await key(page, 'Maximise').click()
    await player(page).getByText('Shortcuts').scrollIntoViewIfNeeded()
    await expect(key(page, 'Restore')).toBeInViewport()
    await key(page, 'Restore').click()
    await expect(key(page, 'Maximise')).toBeFocused()
  },
)

test.runIf(isDeep)('never hides the focused element below the sheet', async () => {
  const page = await stage.visit('/', { viewport: { width: 1440, height: 800 } })
  await key(page, 'Maximise').click()
  await expect(key(page, 'Restore')).toBeFocused()
  // Waits until the page knows the height of the maximised player.
  await page.waitForFunction(() => {
    const bar = document.querySelector<HTMLElement>('[aria-label="Radio player"]')
    return document.documentElement.style.getPropertyValue('--player-h') === `${bar?.offsetHeight}px`
  })
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  const covered: string[] = []
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const bar = document.querySelector('[aria-label="Radio player"]')
      const focused = document.activeElement
      if (!bar || !focused || bar.contains(focused)) return null
      return {
        name: focused.textContent,
        isCovered: focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top,
      }
    })
    if (!found) break
    if (found.isCovered) covered.push(String(found.name))
  }
  expect(covered).toEqual([])
})
