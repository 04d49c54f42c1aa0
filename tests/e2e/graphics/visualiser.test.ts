import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { type BrowserSite, DESKTOP, expect, expectAccessible, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { expectSound, key, sound } from '#tests/helpers/player.ts'
import {
  canvas,
  control,
  expectDrawing,
  expectMoving,
  expectStill,
  picture,
  presetSelect,
  probe,
  probed,
} from '#tests/helpers/visualiser.ts'

/** Wide enough for the links of the top bar, but with few pixels, because the browser draws in software. */
const SMALL = { viewport: { width: 920, height: 320 }, deviceScaleFactor: 0.25 }
const DEFAULT = 'Flexi - mindblob mix'
/** The opacity of controls. The player's is just below 1, see VisualiserScreen.module.css. */
const SHOWN = /^(?:1|0\.999)$/

let stage: BrowserSite
beforeAll(async () => {
  stage = await startBrowserSite({}, { graphics: true })
})
afterAll(() => stage.close())

const opened: Page[] = []
// Closes each page, because an open page keeps drawing.
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close()
})

/** Opens the visualiser without reduced motion; `before` runs in the page before its own scripts. */
async function open(options: BrowserContextOptions = {}, before?: () => void): Promise<Page> {
  const page = await stage.visit('/robots.txt', { ...SMALL, reducedMotion: 'no-preference', ...options })
  opened.push(page)
  await probe(page)
  if (before) await page.addInitScript(before)
  await page.goto('/visualizer')
  await expect(page.getByRole('combobox', { name: 'Visualiser preset' })).toBeVisible()
  return page
}

const playButton = (page: Page) => page.getByRole('button', { name: 'Play Radio' })

async function openPlaying(options?: BrowserContextOptions, before?: () => void): Promise<Page> {
  const page = await open(options, before)
  await playButton(page).click()
  await expect(canvas(page)).toBeVisible()
  await expectDrawing(page)
  return page
}

const shownPreset = (page: Page) => presetSelect(page).inputValue()

/** Clicks a control that fades when idle. Retries, because on a slow machine it can fade again before the click. */
const press = (page: Page, part: Locator) =>
  expect(async () => {
    await wake(page)
    await part.click({ timeout: 1500 })
  }).toPass({ timeout: 120_000 })

const go = (page: Page, name: string) => press(page, page.getByRole('banner').getByRole('link', { name, exact: true }))

let moves = 0
async function wake(page: Page) {
  moves += 1
  await page.mouse.move(200 + (moves % 7), 120)
}

/** Overrides the page's visibility. */
const turnTab = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** Returns a list that collects the names of the requested visualiser modules. */
function watchModules(page: Page) {
  const assets: Record<string, { file: string }> = JSON.parse(readFileSync('dist/current/assets.json', 'utf8'))
  const modules = new Map(Object.entries(assets).map(([module, { file }]) => [`/${file}`, module]))
  const asked: string[] = []
  page.on('request', (request) => {
    const module = modules.get(new URL(request.url()).pathname)
    if (module && /presets\/|butterchurn|visualiser\/Deck/.test(module)) asked.push(module)
  })
  return asked
}

describe('drawing', () => {
  test('renders an idle screen, and loads the drawing code when audio plays', async () => {
    const html = await (await fetch(`${stage.server.origin}/visualizer`)).text()
    for (const text of [
      'Visualiser</h1>',
      'Start the radio to see the visualiser',
      'Play Radio',
      '<title>Visualiser',
    ]) {
      expect(html).toContain(text)
    }
    const page = await open()
    const asked = watchModules(page)
    await page.reload()
    await expect(presetSelect(page)).toHaveValue(DEFAULT)
    await expect(page.getByText('Start the radio to see the visualiser')).toBeVisible()
    expect(asked).toEqual([])
    await expect(canvas(page)).toHaveCount(0)

    await playButton(page).click()
    await expectMoving(page)
    await expect(page.getByText('Start the radio to see the visualiser')).toHaveCount(0)
    expect(asked.filter((module) => /preset-\d+$/.test(module))).toHaveLength(1)
    expect(asked.filter((module) => module.endsWith('butterchurn.js'))).toHaveLength(1)
    await expect(control(page, 'Next preset')).toBeVisible()
  })

  test.runIf(isDeep)('evaluates no strings and violates no security policy', async () => {
    const page = await openPlaying()
    await press(page, control(page, 'Next preset'))
    await expect.poll(() => shownPreset(page)).not.toBe(DEFAULT)
    await expectMoving(page)
    expect(await probed(page)).toMatchObject({ evaluated: 0, violations: [] })
    // Proves that the probe detects evaluated code.
    await page.evaluate(() => Function('return 1'))
    expect((await probed(page)).evaluated).toBe(1)
  })

  test('stops drawing but not playing on another page, and resumes on return', async () => {
    const page = await openPlaying()
    await go(page, 'Home')
    await page.waitForURL('**/')
    await expectStill(page)
    await expectSound(page)
    await expect(presetSelect(page)).toHaveCount(0)
    await go(page, 'Visualiser')
    await expectMoving(page)
    await expectDrawing(page)
    expect((await sound(page)).elements).toBe(1)
  })

  test.runIf(isDeep)('shows the idle screen on pause and draws again on play', async () => {
    const page = await openPlaying()
    await key(page, 'Pause').click()
    await expect(page.getByText('Start the radio to see the visualiser')).toBeVisible()
    await expectStill(page)
    await playButton(page).click()
    await expectMoving(page)
  })

  test.runIf(isDeep)('stops while the tab is hidden', async () => {
    const page = await openPlaying()
    await turnTab(page, 'hidden')
    await expectStill(page)
    await turnTab(page, 'visible')
    await expectDrawing(page)
  })

  test.runIf(isDeep)('replaces a canvas whose context was lost, and gives up after repeated losses', async () => {
    const page = await openPlaying()
    const lose = () =>
      canvas(page).evaluate((element: HTMLCanvasElement) =>
        element.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext(),
      )
    await lose()
    await expectMoving(page)
    const alert = page.getByRole('alert')
    await expect(async () => {
      if ((await alert.count()) === 0) await lose()
      await expect(alert).toHaveText('Failed to initialize visualizer', { timeout: 1500 })
    }).toPass({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectMoving(page)
  })

  test.runIf(isDeep)('follows the size of the window', async () => {
    const page = await openPlaying()
    const shape = () => canvas(page).evaluate(({ width, height }: HTMLCanvasElement) => width / height)
    await expect.poll(shape).toBeCloseTo(920 / 320, 1)
    await page.setViewportSize({ width: 300, height: 600 })
    await expect.poll(shape).toBeCloseTo(0.5, 1)
    await expectMoving(page)
  })

  test('asks once before drawing when reduced motion is preferred', async () => {
    const page = await open({ reducedMotion: 'reduce' })
    await playButton(page).click()
    const show = page.getByRole('button', { name: 'Show anyway' })
    await expect(show).toBeVisible()
    await expect(
      page.getByText('The visualiser moves and flashes, and your device asks for less motion.'),
    ).toBeVisible()
    expect((await probed(page)).draws).toBe(0)
    await show.click()
    await expectMoving(page)
    await go(page, 'Home')
    await go(page, 'Visualiser')
    await expectMoving(page)
  })
})

describe('errors', () => {
  const noWebgl = () => {
    const getContext = HTMLCanvasElement.prototype.getContext as (kind: string, options?: object) => unknown
    Object.assign(HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement, kind: string, options?: object) {
        return kind === 'webgl2' ? null : getContext.call(this, kind, options)
      },
    })
  }
  const noAudio = () => Object.assign(window, { AudioContext: undefined })
  const brokenWebgl = () =>
    Object.assign(WebGL2RenderingContext.prototype, {
      createFramebuffer: () => {
        throw new Error('out of memory')
      },
    })

  test.each(
    someOf([
      ['WebGL2 not supported', noWebgl],
      ['Audio not initialized', noAudio],
      ['Failed to initialize visualizer', brokenWebgl],
    ]),
  )('%s', async (text, before) => {
    const page = await open({}, before)
    await playButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(text)
    await expectSound(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toHaveText(text)
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
    await page.waitForURL('**/')
  })

  test.runIf(isDeep)('keeps the previous preset and shows a toast when a preset fails to load', async () => {
    const page = await openPlaying()
    await expectMoving(page)
    await page.context().route('**/assets/**', (route) => route.fulfill({ status: 404 }))
    await page.keyboard.press('r')
    await expect(page.getByText('This preset couldn’t load')).toBeVisible()
    await expect(presetSelect(page)).toHaveValue(DEFAULT)
    await expectDrawing(page)
    await page.context().unroute('**/assets/**')
    await presetSelect(page).selectOption('Geiss - Cauldron - painterly 2 (saturation remix)')
    await expect(control(page, 'Favourite')).toBeVisible()
    await expectMoving(page)
  })
})

describe.runIf(isDeep)('controls', () => {
  const name = (page: Page) => page.getByRole('region', { name: 'Visualiser controls' }).getByRole('paragraph')

  test('changes presets with the select and the buttons, and goes back', async () => {
    const page = await openPlaying()
    const visited = [await shownPreset(page)]
    for (const press of ['n', 'r', 'N']) {
      await page.keyboard.press(press)
      await expect.poll(() => shownPreset(page)).not.toBe(visited.at(-1))
      visited.push(await shownPreset(page))
    }
    for (const before of visited.slice(0, -1).reverse()) {
      await page.keyboard.press('p')
      await expect(presetSelect(page)).toHaveValue(before)
    }
    await presetSelect(page).selectOption('martin - glass corridor')
    await expect(name(page)).toContainText('martin - glass corridor')
    // Uses the keyboard, because `press()` retries its click and could go back twice.
    await control(page, 'Previous preset').press('Enter')
    await expect(presetSelect(page)).toHaveValue(DEFAULT)
    // In a focused select, typing searches for an option and must not open the shortcuts.
    await presetSelect(page).focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('shows the shortcuts on "?", while the player keeps its own', async () => {
    const page = await openPlaying()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(dialog).toContainText('Next preset')
    await page.keyboard.press('n')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(presetSelect(page)).toHaveValue(DEFAULT)
    await page.waitForFunction(() => document.activeElement === document.body)
    await page.keyboard.press('m')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('player'))).toContain('"muted":true')
    await page.locator('main').focus()
    await page.keyboard.press(' ')
    await expect(playButton(page)).toBeVisible()
  })

  test('searches the list, moves through it by keyboard, and keeps favourites', async () => {
    const page = await openPlaying({ viewport: { width: 1000, height: 640 } })
    await page.keyboard.press('/')
    const panel = page.getByRole('complementary', { name: 'Presets' })
    const search = panel.getByRole('searchbox', { name: 'Search presets' })
    await expect(search).toBeFocused()
    await expect(panel.getByRole('listitem')).toHaveCount(245)
    await search.fill('CAULDRON 2')
    await expect(panel.getByText('1 shown')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(presetSelect(page)).toHaveValue('Geiss - Cauldron - painterly 2 (saturation remix)')
    await search.fill('nothing of the kind')
    await expect(panel.getByText('No preset matches your search.')).toBeVisible()
    await search.fill('MARTIN')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const second = panel.getByRole('listitem').nth(1)
    await expect(second.getByRole('radio')).toBeFocused()
    await expect(second.getByRole('radio')).toBeChecked()
    const chosen = (await second.textContent()) ?? ''
    await expect(presetSelect(page)).toHaveValue(chosen)
    const star = panel.getByRole('button', { name: `Favourite: ${chosen}` })
    await page.keyboard.press('Tab')
    await expect(star).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(control(page, 'All presets')).toBeFocused()
    await expect(control(page, 'Favourite')).toHaveAttribute('aria-pressed', 'true')

    await page.reload()
    await playButton(page).click()
    await expect(control(page, 'Favourite')).toHaveAttribute('aria-pressed', 'true')
    await press(page, control(page, 'All presets'))
    await panel.getByText('Favourites only').click()
    await expect(panel.getByRole('listitem')).toHaveText([chosen])
    await star.click()
    await expect(panel.getByRole('listitem')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await page.keyboard.press('b')
    await expect(control(page, 'Favourite')).toHaveAttribute('aria-pressed', 'true')
  })

  test('changes presets automatically when enabled and not locked', async () => {
    const page = await open()
    await page.evaluate(() =>
      localStorage.setItem('visualiser', JSON.stringify({ cycle: true, cycleSeconds: 5, blendSeconds: 0 })),
    )
    await page.reload()
    await playButton(page).click()
    await expect(control(page, 'Change every 5 seconds')).toHaveAttribute('aria-pressed', 'true')
    await expect(presetSelect(page)).not.toHaveValue(DEFAULT)
    await page.keyboard.press('l')
    await expect(control(page, 'Lock this preset')).toHaveAttribute('aria-pressed', 'true')
    const locked = await shownPreset(page)
    // Waits longer than a cycle: the preset must not change.
    await page.waitForTimeout(6500)
    await expect(presetSelect(page)).toHaveValue(locked)
    await page.keyboard.press('l')
    await expect(presetSelect(page)).not.toHaveValue(locked)
  })

  test('ignores invalid stored settings', async () => {
    const page = await open()
    const kept = [
      '{"cycle":',
      'null',
      '{"favourites":["<b>",5,null]}',
      '{"cycle":"yes","cycleSeconds":1,"blendSeconds":1e9,"favourites":{"0":1},"locked":7}',
    ]
    for (const value of kept) {
      await page.evaluate((text) => {
        localStorage.setItem('visualiser', text)
        localStorage.setItem('player', '{"preset":"of another time"}')
      }, value)
      await page.reload()
      await expect(presetSelect(page)).toHaveValue(DEFAULT)
    }
    await playButton(page).click()
    await expect(control(page, 'Change every 30 seconds')).toHaveAttribute('aria-pressed', 'false')
    await expect(control(page, 'Favourite')).toHaveAttribute('aria-pressed', 'false')
    await expectMoving(page)
  })

  test('hides the controls when idle, but not from keyboard users', async () => {
    const page = await openPlaying()
    const strip = page.getByRole('region', { name: 'Visualiser controls' })
    const faded = [strip, page.getByRole('banner'), page.getByRole('region', { name: 'Radio player' })]
    for (const part of faded) await expect(part).toHaveCSS('opacity', '0')
    await wake(page)
    for (const part of faded) await expect(part).toHaveCSS('opacity', SHOWN)
    await control(page, 'Next preset').focus()
    await page.keyboard.press('Tab')
    // Waits longer than the idle time: the controls must not fade.
    await page.waitForTimeout(4500)
    for (const part of faded) await expect(part).toHaveCSS('opacity', SHOWN)
  })

  test('toggles full screen', async () => {
    const page = await openPlaying()
    await page.keyboard.press('f')
    await expect(control(page, 'Leave full screen')).toBeVisible()
    expect(await page.evaluate(() => document.fullscreenElement?.tagName)).toBe('HTML')
    await page.keyboard.press('f')
    await expect(control(page, 'Full screen')).toBeVisible()
  })

  test('ignores disabled shortcuts', async () => {
    const page = await open()
    await page.evaluate(() => localStorage.setItem('player', '{"shortcuts":false}'))
    await page.reload()
    await playButton(page).click()
    await expect(control(page, 'Keyboard shortcuts')).toBeVisible()
    await page.keyboard.press('n')
    await press(page, control(page, 'Keyboard shortcuts'))
    await expect(page.getByRole('dialog')).toContainText('Keyboard shortcuts are off.')
    await expect(presetSelect(page)).toHaveValue(DEFAULT)
  })
})

// The panels are dark in both themes, so each theme is tested at only one width.
test.runIf(isDeep).each([
  ['1440', 'light', DESKTOP],
  ['390', 'dark', PHONE],
] as const)('is accessible at %s px, %s', async (_width, colorScheme, viewport) => {
  const page = await open({ viewport, colorScheme })
  await expectAccessible(page)
  await playButton(page).click()
  await expectMoving(page)
  // Hides the tab to stop the drawing, which is slow in software. Shows the faded controls again.
  await turnTab(page, 'hidden')
  await wake(page)
  // Waits for the end of the fade, because the contrast is too low during it.
  for (const part of ['banner', 'region'] as const) {
    for (const one of await page.getByRole(part).all()) await expect(one).toHaveCSS('opacity', SHOWN)
  }
  await control(page, 'All presets').click()
  await expect(page.getByRole('complementary', { name: 'Presets' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await press(page, control(page, 'Keyboard shortcuts'))
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  const { wide, box } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - innerWidth,
    box: document.querySelector('main canvas')?.getBoundingClientRect().toJSON(),
  }))
  expect(wide).toBeLessThanOrEqual(0)
  expect(box).toMatchObject({ x: 0, y: 0, ...viewport })
  expect((await picture(page)).length).toBeGreaterThan(0)
})
