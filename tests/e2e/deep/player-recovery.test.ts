import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { expectSound, key, player, sound, startRadio } from '#tests/helpers/player.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'

const demo = readFileSync(new URL('../../../server/features/radio/library/demo.mp3', import.meta.url))

let service: RadioService
let stage: BrowserSite
const start = async (port?: number) => {
  const started = await startRadioService({ sound: demo, port })
  started.recording = demo
  return started
}

beforeAll(async () => {
  service = await start()
  stage = await startBrowserSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

const status = (page: Page) => player(page).getByRole('status')
const position = (page: Page) => player(page).getByRole('slider', { name: 'Position' })

describe('a lost stream', () => {
  test('is reported, and plays again when its service is back', async () => {
    const page = await stage.visit('/')
    await startRadio(page)
    const { port } = new URL(service.url)
    await service.close()
    try {
      await expect(status(page)).toHaveText('Reconnecting…')
      await expect(key(page, 'Pause')).toBeVisible()
    } finally {
      service = await start(Number(port))
    }
    await expect(status(page)).toBeEmpty()
    await expectSound(page)
  })

  test('stays paused when it was paused in between', async () => {
    const page = await stage.visit('/')
    await startRadio(page)
    await page.context().setOffline(true)
    await page.evaluate(() => document.querySelector('audio')?.dispatchEvent(new Event('ended')))
    await expect(status(page)).toHaveText('Offline')
    await key(page, 'Pause').click()
    await expect(status(page)).toBeEmpty()
    await page.context().setOffline(false)
    // Waits longer than the first retry delay: the player must not retry.
    await page.waitForTimeout(2000)
    expect((await sound(page)).isPaused).toBe(true)
    await expect(key(page, 'Play')).toBeVisible()
  })

  test('is retried at once when the network is back', async () => {
    const page = await stage.visit('/')
    await startRadio(page)
    await page.context().setOffline(true)
    await page.evaluate(() => document.querySelector('audio')?.dispatchEvent(new Event('ended')))
    await expect(status(page)).toHaveText('Offline')
    await page.context().setOffline(false)
    await expectSound(page, 3000)
    await expect(status(page)).toBeEmpty()
  })
})

describe('a recording', () => {
  async function playRecording(page: Page) {
    const main = page.getByRole('main')
    await main.locator('summary').first().click()
    await main.getByRole('button', { name: /^Play/ }).first().click()
    await expect(key(page, 'Pause')).toBeVisible()
    await expectSound(page)
  }

  test('seeks, keeps its position over a reload, and returns to live radio', async () => {
    const page = await stage.visit('/archive')
    await playRecording(page)
    await expect(position(page)).toHaveAttribute('aria-valuetext', /^0:0\d of 1:00$/)
    await position(page).press('ArrowRight')
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(5)
    await position(page).blur()
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(20)
    const { time: before } = await sound(page)
    await position(page).press('ArrowRight')
    await key(page, 'Maximise').click()
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(before + 4.5)
    await key(page, 'Forward 15 seconds').click()
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(35)
    await key(page, 'Back 15 seconds').click()
    await expect.poll(async () => (await sound(page)).time).toBeLessThan(35)
    await key(page, 'Pause').click()
    const { time, source } = await sound(page)
    expect(source).toMatch(/\/download$/)

    await page.goto('/archive?again')
    await expect(player(page).getByText('On air')).toBeVisible()
    await playRecording(page)
    expect((await sound(page)).time).toBeGreaterThanOrEqual(time - 1)
    await player(page).getByRole('button', { name: 'Back to live' }).click()
    await expect(key(page, 'Pause')).toBeFocused()
    await expectSound(page)
    expect((await sound(page)).source).toMatch(/\/radio\/1\/stream$/)
    await expect(position(page)).toHaveCount(0)
  })

  test('resumes at its position after a lost connection', async () => {
    const page = await stage.visit('/archive')
    await playRecording(page)
    await page.keyboard.press('Escape')
    await position(page).press('PageUp')
    await position(page).press('ArrowLeft')
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(50)
    service.set('download', 'broken')
    // Reloads the audio while the service is broken, to simulate a lost connection.
    await page.evaluate(() => {
      const audio = document.querySelector('audio')
      if (audio) audio.src = `${audio.src}?lost`
    })
    await expect(status(page)).toHaveText('Reconnecting…')
    service.set('download', null)
    await expect(status(page)).toBeEmpty()
    expect((await sound(page)).time).toBeGreaterThan(50)
    await expectSound(page)
  })

  test('clears its position at its end', async () => {
    const page = await stage.visit('/archive')
    await playRecording(page)
    const places = () => page.evaluate(() => localStorage.getItem('player-places'))
    await position(page).press('ArrowRight')
    await position(page).press('ArrowRight')
    await position(page).press('ArrowRight')
    await expect.poll(places).not.toMatch(/^\[\]$|^$/)
    await position(page).press('End')
    await expect(key(page, 'Play')).toBeVisible()
    expect(await places()).toBe('[]')
    await key(page, 'Play').click()
    await expectSound(page)
    expect((await sound(page)).time).toBeLessThan(10)
  })
})
