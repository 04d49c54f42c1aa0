import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { analysed, expectSound, exposeGraph, gain, key, player, sound, startRadio } from '#tests/helpers/player.ts'

let stage: BrowserSite
beforeAll(async () => {
  stage = await startBrowserSite()
})
afterAll(() => stage.close())

const volume = (page: Page) => player(page).getByLabel('Volume')

describe('the radio', () => {
  test('keeps its element over many navigations, and can be analysed', async () => {
    const page = await stage.visit('/')
    await exposeGraph(page)
    await page.reload()
    await expect(player(page).getByText('Carrier Wave')).toBeVisible()
    await startRadio(page)
    await page.evaluate(() => Object.assign(document.querySelector('audio') ?? {}, { mark: 'the same' }))

    let before = (await sound(page)).time
    const places: [name: string, path: string][] = [
      ['About', '/about'],
      ['Archive', '/archive'],
      ['Home', '/'],
      ['Visualiser', '/visualizer'],
      ['Archive', '/archive'],
    ]
    for (const [name, path] of isDeep ? [...places, ...places] : places) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
      await page.waitForURL(`**${path}`)
      await expectSound(page)
      const { time, elements, isPaused } = await sound(page)
      expect(time).toBeGreaterThan(before)
      expect([elements, isPaused]).toEqual([1, false])
      before = time
    }
    expect(await page.evaluate(() => (document.querySelector('audio') as { mark?: string } | null)?.mark)).toBe(
      'the same',
    )
    await expect.poll(async () => (await analysed(page)).highest).toBeGreaterThan(50)
    expect((await analysed(page)).fftSize).toBe(2048)
  })

  test('resumes at the live edge, and drops a stream that stays paused', async () => {
    const page = await stage.visit('/')
    await page.clock.install()
    await page.reload()
    await startRadio(page)
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(3)
    await key(page, 'Pause').click()
    // Without a source, browsers would pass no media keys on.
    expect(await sound(page)).toMatchObject({ isPaused: true, source: expect.stringContaining('/radio/') })
    await key(page, 'Play').click()
    await expectSound(page)
    expect((await sound(page)).time).toBeLessThan(3)
    await page.clock.fastForward('02:00')
    expect((await sound(page)).isPaused).toBe(false)
    await key(page, 'Pause').click()
    await page.clock.fastForward('01:00')
    expect(await sound(page)).toMatchObject({ isPaused: true, source: null })
  })

  test('shows the song in the bar, the tab title and the media session, and restores the title', async () => {
    const page = await stage.visit('/dtpchan')
    await startRadio(page)
    await expect(player(page).getByText('Carrier Wave')).toBeVisible()
    await expect(page).toHaveTitle(/^♪ Carrier Wave – DTP · DTPChan/)
    const told = () =>
      page.evaluate(() => {
        const { metadata, playbackState } = navigator.mediaSession
        return [metadata?.title, metadata?.artist, metadata?.album, metadata?.artwork[0]?.src, playbackState]
      })
    const art = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/radio\/art\//)
    expect(await told()).toEqual(['Carrier Wave', 'DTP', 'Test Transmissions', art, 'playing'])

    await page.getByRole('banner').getByRole('link', { name: 'Archive', exact: true }).click()
    await expect(page).toHaveTitle(/^♪ Carrier Wave – DTP · .*Archive/i)
    await key(page, 'Pause').click()
    await expect(page).toHaveTitle(/^[^♪]*Archive/i)
    expect((await told())[4]).toBe('paused')
  })

  test('plays in one tab at a time', async () => {
    const page = await stage.visit('/')
    await startRadio(page)
    const other = await page.context().newPage()
    await other.goto('/about')
    await expect(player(other).getByText('Carrier Wave')).toBeVisible()
    await startRadio(other)
    await expect(key(page, 'Play')).toBeVisible()
    expect((await sound(page)).isPaused).toBe(true)
    await expectSound(other)
  })

  test.runIf(isDeep)('handles a pause by the system', async () => {
    const page = await stage.visit('/')
    await startRadio(page)
    await page.evaluate(() => document.querySelector('audio')?.pause())
    await expect(key(page, 'Play')).toBeVisible()
    // It ends the pause by itself, for example after a call.
    await page.evaluate(() => Promise.allSettled([document.querySelector('audio')?.play()]))
    await expectSound(page)
    await expect(key(page, 'Pause')).toBeVisible()
  })

  test.runIf(isDeep)('stops when the sleep timer ends, and shows and cancels the timer', async () => {
    const page = await stage.visit('/')
    await page.clock.install()
    await page.reload()
    await page.clock.runFor(3000)
    await key(page, 'Maximise').click()
    await expect(player(page).getByRole('button', { name: '15 min' })).toBeDisabled()
    await key(page, 'Play').click()
    await expect.poll(async () => (await sound(page)).time).toBeGreaterThan(0)
    await player(page).getByRole('button', { name: '30 min' }).click()
    // The clock goes on between the steps.
    await expect(player(page).getByText(/Sleeps in (30:00|29:\d\d)/)).toBeVisible()
    await expect(key(page, 'Cancel')).toBeFocused()
    await key(page, 'Cancel').click()
    await player(page).getByRole('button', { name: '15 min' }).click()
    await page.clock.runFor(4000)
    await expect(player(page).getByText(/Sleeps in 14:[0-5]\d/)).toBeVisible()
    // The element is paused as by the system or by another program.
    await page.evaluate(() => document.querySelector('audio')?.pause())
    await expect(key(page, 'Play')).toBeVisible()
    await expect(player(page).getByText(/Sleeps in 14:[0-5]\d/)).toBeVisible()
    await key(page, 'Play').click()
    await page.clock.fastForward('14:00')
    await expect(key(page, 'Pause')).toBeVisible()
    await page.clock.fastForward('01:00')
    await expect(key(page, 'Play')).toBeVisible()
    expect((await sound(page)).isPaused).toBe(true)
    await expect(player(page).getByRole('button', { name: '15 min' })).toBeVisible()
    // A device that sleeps stops the timeout, but not the clock.
    await key(page, 'Play').click()
    await player(page).getByRole('button', { name: '15 min' }).click()
    await key(page, 'Pause').click()
    await page.clock.setSystemTime(await page.evaluate(() => Date.now() + 3_600_000))
    await key(page, 'Play').click()
    await expect(player(page).getByRole('button', { name: '15 min' })).toBeVisible()
    await page.clock.fastForward('16:00')
    await expect(key(page, 'Pause')).toBeVisible()
    expect((await sound(page)).isPaused).toBe(false)
  })
})

test.runIf(isDeep)('offers a page that a new version removed instead of loading it while the radio plays', async () => {
  const page = await stage.visit('/')
  await startRadio(page)
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
  const link = page.getByRole('banner').getByRole('link', { name: 'Archive', exact: true })
  for (const again of [1, 2]) {
    await link.click()
    await expect(player(page).getByText('There’s a new version of the site'), `click ${again}`).toBeVisible()
    await expectSound(page)
    expect(new URL(page.url()).pathname).toBe('/')
    await key(page, again === 1 ? 'Not now' : 'Pause').click()
  }
  await page.unroute('**/assets/**')
  await key(page, 'Open it').click()
  await page.waitForURL('**/archive')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

describe('the volume', () => {
  test.runIf(isDeep)('squares the volume, stores it, and mutes by its icon', async () => {
    const page = await stage.visit('/')
    await exposeGraph(page)
    await page.reload()
    await startRadio(page)
    await expect.poll(() => gain(page)).toBe(0.25)
    await volume(page).fill('0.8')
    await expect.poll(() => gain(page)).toBe(0.64)
    await key(page, 'Mute').click()
    await expect.poll(() => gain(page)).toBe(0)
    await key(page, 'Unmute').click()
    await expect.poll(() => gain(page)).toBe(0.64)
    await page.reload()
    await expect(volume(page)).toHaveValue('0.8')
    await startRadio(page)
    await expect.poll(() => gain(page)).toBe(0.64)
  })

  test.runIf(isDeep)('squares the volume without an audio graph', async () => {
    const page = await stage.visit('/')
    await page.addInitScript(() => Object.assign(window, { AudioContext: undefined }))
    await page.reload()
    await startRadio(page)
    await volume(page).fill('0.3')
    const loudness = () => page.evaluate(() => document.querySelector('audio')?.volume.toFixed(4))
    await expect.poll(loudness).toBe('0.0900')
    await key(page, 'Mute').click()
    await expect(page.locator('audio')).toHaveJSProperty('muted', true)
  })
})

describe('the keyboard', () => {
  test('controls playback and volume when no control has the focus, and can be switched off', async () => {
    const page = await stage.visit('/')
    await expect(player(page).getByText('Carrier Wave')).toBeVisible()
    await page.keyboard.press('ArrowUp')
    await expect(volume(page)).toHaveValue('0.5')
    await page.keyboard.press(' ')
    await expectSound(page)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await expect(volume(page)).toHaveValue('0.55')
    await page.keyboard.press('m')
    await expect(key(page, 'Unmute')).toBeVisible()
    await page.keyboard.press('Control+m')
    await expect(key(page, 'Unmute')).toBeVisible()
    await page.keyboard.press(' ')
    await expect(key(page, 'Play')).toBeVisible()

    await key(page, 'Maximise').click()
    await player(page).getByRole('switch', { name: 'Shortcuts' }).click()
    await key(page, 'Restore').click()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press(' ')
    await page.keyboard.press('m')
    await expect(key(page, 'Unmute')).toBeVisible()
    await expect(key(page, 'Play')).toBeVisible()
  })

  test.runIf(isDeep)('does not act while typing in a field', async () => {
    const page = await stage.visit('/paste-service')
    await expect(player(page).getByText('Carrier Wave')).toBeVisible()
    const field = page.getByRole('main').getByRole('textbox').first()
    await field.pressSequentially('m m')
    await expect(field).toHaveValue('m m')
    await expect(key(page, 'Mute')).toBeVisible()
    await expect(key(page, 'Play')).toBeVisible()
  })
})

describe.each(
  someOf([
    ['the phone', PHONE],
    ['the desk', { width: 1440, height: 900 }],
  ]),
)('on %s', (_name, viewport) => {
  test.runIf(isDeep)('keeps row and sheet accessible, within the window, and moves the focus', async () => {
    const page = await stage.visit('/', { viewport })
    await startRadio(page)
    await expect(player(page).getByText('Carrier Wave')).toBeVisible()
    await expect(volume(page)).toBeVisible()
    await expect(
      player(page)
        .getByText(/^0:\d\d$/)
        .filter({ visible: true }),
      // Waits, because a finished song shows 1:00 until the player knows the next song.
    ).toHaveCount(1)
    await expectAccessible(page)

    await key(page, 'Maximise').click()
    await expect(key(page, 'Restore')).toBeFocused()
    await expect(player(page).getByRole('heading', { name: 'Carrier Wave' })).toBeVisible()
    await expect(player(page).getByRole('img', { name: 'Cover of Carrier Wave' })).toBeVisible()
    await expect(player(page).getByText('(peak')).toBeVisible()
    await expect(player(page).getByRole('link', { name: 'Visualiser' })).toHaveAttribute('href', '/visualizer')
    await expectAccessible(page)
    const box = await player(page).boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)

    await page.reload()
    // On a phone, the sheet would cover the page.
    if (viewport === PHONE) await key(page, 'Maximise').click()
    await expect(key(page, 'Restore')).toBeVisible()
    await key(page, 'Minimise').click()
    await expect(key(page, 'Restore')).toBeFocused()
    await expect.poll(async () => (await player(page).boundingBox())?.height).toBeLessThan(56)
    await page.reload()
    await expect.poll(async () => (await player(page).boundingBox())?.height).toBeLessThan(56)
    await expectAccessible(page)
    await key(page, 'Restore').click()
    await expect(key(page, 'Maximise')).toBeFocused()
  })
})

test.each(
  someOf([
    ['a phone', PHONE, 'Maximise'],
    ['a tablet', { width: 820, height: 1180 }, 'Maximise'],
    ['a desk', { width: 1440, height: 900 }, 'Restore'],
  ] as const),
)('restores the bar on %s when a link opens another page', async (_name, viewport, expected) => {
  const page = await stage.visit('/', { viewport })
  await key(page, 'Maximise').click()
  await player(page).getByRole('link', { name: 'Favourites' }).click()
  await page.waitForURL('**/favourites')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(key(page, expected)).toBeVisible()
})

test.runIf(isDeep)('shows a ruler when idle or with reduced motion, and levels while playing', async () => {
  const still = await stage.visit('/')
  await startRadio(still)
  await expect(player(still).locator('canvas')).toHaveCount(0)
  const page = await stage.visit('/', { reducedMotion: 'no-preference' })
  await expect(player(page).locator('canvas')).toHaveCount(0)
  await startRadio(page)
  const drawn = () =>
    player(page)
      .locator('canvas')
      .filter({ visible: true })
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const first = await drawn()
  await expect.poll(drawn).not.toBe(first)
  await key(page, 'Pause').click()
  await expect(player(page).locator('canvas')).toHaveCount(0)
})
