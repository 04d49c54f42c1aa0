import axe from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { inject, onTestFailed, TestRunner, expect as vitestExpect } from 'vitest'
import { type TestDatabase, testDatabase } from './databases.ts'
import { someOf } from './depth.ts'
import { isHydrated } from './hydration.ts'
import { ADMIN, type SiteProcess, spawnSite } from './siteProcess.ts'

/** Playwright's defaults are too short on a busy machine: 5 s for expectations, and 30 s for actions. */
const TIMEOUT_MS = 60_000
export const expect = playwrightExpect.configure({ timeout: TIMEOUT_MS })

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }
/** Covers both themes and both widths. Two combinations are enough: colours do not depend on the width. */
export const APPEARANCES = [
  { colorScheme: 'dark', viewport: DESKTOP },
  { colorScheme: 'light', viewport: PHONE },
] as const

/** URLs of the modules that a page loads after its first paint: not of `pages/early.js`, for which it waits. */
export const MODULES = /\/assets\/(?!early-).*\.js$/

/**
 * Features that tests do not need. The last two load pages for the address bar of each window, which took a third of
 * the processor. The others are Playwright's own list, which this one replaces.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** Shares one process between all pages, and skips optimising code that runs once: a tenth less processor time. */
const LIGHT_RENDERING = [
  '--disable-gpu',
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--js-flags=--no-opt --single-threaded',
]

/** A running site of one test file, and a browser. */
export type BrowserSite = {
  server: SiteProcess
  location: TestDatabase
  /** opens a page as a new visitor; `close` fails if the page logged errors or policy violations */
  visit: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** logs the page's visitor in through the API */
  logIn: (page: Page, email?: string, password?: string) => Promise<void>
  close: () => Promise<void>
}

/**
 * @param options.graphics enables WebGL with software rendering
 * @param options.whole uses a Chromium with notifications and the fonts of the reference pictures
 * @param options.prepare fills the database before the site starts
 * @param options.args added to the browser's command line
 */
export async function startBrowserSite(
  env: Record<string, string> = {},
  {
    graphics = false,
    whole = graphics,
    args = [],
    prepare = async () => {},
  }: { graphics?: boolean; whole?: boolean; args?: string[]; prepare?: (location: TestDatabase) => Promise<void> } = {},
): Promise<BrowserSite> {
  const location = await testDatabase()
  await prepare(location)
  const server = await spawnSite(location, env)
  const browser = await sharedBrowser(inject(whole ? 'wholeBrowser' : 'browser'), [
    ...(graphics ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : LIGHT_RENDERING),
    ...args,
  ])
  const browserErrors: string[] = []
  // each context and the test that opened it; the next test closes old contexts, which would slow it down
  const contexts = new Map<BrowserContext, string | undefined>()
  const closeContextsOfEarlierTests = async (test: string | undefined) => {
    for (const [context, opener] of contexts) {
      if (opener === undefined || opener === test) continue
      contexts.delete(context)
      await context.close()
    }
  }

  return {
    server,
    location,
    visit: async (path, options = {}) => {
      // In hooks of a whole file, the state of `expect` still names the last test of an earlier file.
      const test = TestRunner.getCurrentTest()?.id
      await closeContextsOfEarlierTests(test)
      const context = await browser.newContext({
        baseURL: server.origin,
        viewport: DESKTOP,
        reducedMotion: 'reduce',
        // Playwright cannot replace the responses of pages that a worker controls.
        serviceWorkers: 'block',
        ...options,
      })
      context.setDefaultTimeout(TIMEOUT_MS)
      contexts.set(context, test)
      context.on('page', waitAfterNavigation)
      const page = await context.newPage()
      page.on('console', (message) => {
        // ignores error responses that tests cause on purpose,
        // and the graphics driver's warning about reading pixels
        const noted =
          /^Failed to load resource: the server responded with a status of (4\d\d|50[23])/.test(message.text()) ||
          // ignores failed requests: tests disconnect the network or abort requests
          /^Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|FAILED)/.test(message.text()) ||
          /^Service Worker registration blocked by Playwright/.test(message.text()) ||
          /GL Driver Message \(OpenGL, Performance/.test(message.text())
        if (['error', 'warning'].includes(message.type()) && !noted)
          browserErrors.push(`${page.url()}: ${message.text()}`)
      })
      page.on('pageerror', (error) => browserErrors.push(`${page.url()}: ${error.message}`))
      if (test) onTestFailed(() => printPage(page))
      await page.goto(path)
      return page
    },
    logIn: async (page, email = ADMIN.email, password = ADMIN.password) => {
      const answer = await page.request.post('/api/dtpchan/admin/login', { data: { email, password } })
      const { token } = await answer.json()
      await page.evaluate((value) => localStorage.setItem('dtpchan_token', value), token)
      await page.reload()
    },
    close: async () => {
      for (const context of contexts.keys()) await context.close()
      const code = await server.stop()
      await location.cleanup()
      expect(browserErrors, 'what the browser complained of').toEqual([])
      expect(server.output().match(/"level":(50|60).*|\(node:\d+\) .*Warning.*/g) ?? [], 'errors in the log').toEqual(
        [],
      )
      expect(code).toBe(0)
    },
  }
}

/** Prints what a page shows, because failures of busy machines are hard to repeat. */
async function printPage(page: Page): Promise<void> {
  const text = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String)
  console.error(`${page.url()} shows:\n${text.slice(0, 5000)}`)
}

/** Browsers of this process by their command line. They end with the process. */
const browsers = new Map<string, Promise<Browser>>()

/** Starts a browser, or returns the one that an earlier file of this process started: a start takes a second. */
async function sharedBrowser(executablePath: string, ownArgs: string[]): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    `--disable-features=${DISABLED_FEATURES.join()}`,
    ...ownArgs,
  ]
  const key = [executablePath, ...args].join(' ')
  const running = await browsers.get(key)
  if (running?.isConnected()) return running
  const launched = chromium.launch({ executablePath, args })
  browsers.set(key, launched)
  return launched
}

/** Waits for hydration and the fonts after each navigation, unless the test passes `waitUntil: 'commit'`. */
function waitAfterNavigation(page: Page): void {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  const waitUntilReady = async () => {
    await waitForHydration(page)
    await page.locator('html:not([data-fonts=late])').waitFor({ state: 'attached' })
  }
  page.goto = async (url, options) => {
    const answer = await goto(url, options)
    if (options?.waitUntil !== 'commit') await waitUntilReady()
    return answer
  }
  page.reload = async (options) => {
    const answer = await reload(options)
    await waitUntilReady()
    return answer
  }
}

/** Waits until React has hydrated the page and the player, so that buttons work. */
export const waitForHydration = (page: Page) => page.waitForFunction(isHydrated)

/**
 * Checks that the current view follows axe's WCAG rules and does not scroll horizontally.
 * @param look theme and width, for the error message
 */
export async function expectAccessible(page: Page, look?: string): Promise<void> {
  expect(await findViolations(page), look).toEqual([])
  expect(await measureOverflow(page), look).toBeLessThanOrEqual(0)
}

/**
 * Runs axe, without iframes and the details of passing rules, which would take up most of the run time. An open dialog
 * makes the rest of the page inert, so axe checks only the dialog.
 */
async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    // While something fades in, its contrast is too low.
    const fades = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(fades.map(({ finished }) => finished.catch(() => null)))
    const { violations } = await axe.run([...document.querySelectorAll('dialog:modal')].at(-1) ?? document, {
      iframes: false,
      resultTypes: ['violations'],
      // WCAG 2.2 requires targets of 24 px, but axe does not check it by default.
      rules: { 'target-size': { enabled: true } },
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

/** Spacing that WCAG 1.4.12 requires pages to withstand. */
const TEXT_SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }`

/** 1440 px at 200 % and 1280 px at 400 % zoom. */
const ZOOMED = [
  { width: 720, height: 450 },
  { width: 320, height: 640 },
]

/**
 * Checks the current view with axe: one look, or all four in a deep run. Also checks sideways scrolling, zoom, wide text
 * spacing and reduced motion. Changes the open page: loading it again takes longer.
 */
export async function expectAccessibleInAllLooks(page: Page): Promise<void> {
  const problems: string[] = []
  for (const { colorScheme, viewport } of someOf(APPEARANCES)) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const violations = await findViolations(page)
    problems.push(...violations.map((violation) => `${viewport.width} px, ${colorScheme}: ${violation}`))
    if ((await measureOverflow(page)) > 0) problems.push(`scrolls sideways at ${viewport.width} px`)
  }
  for (const viewport of ZOOMED) {
    await page.setViewportSize(viewport)
    if ((await measureOverflow(page)) > 0) problems.push(`scrolls sideways at ${viewport.width} px`)
    if ((await measureOverflow(page, TEXT_SPACING)) > 0)
      problems.push(`scrolls sideways at ${viewport.width} px with wide text spacing`)
  }
  problems.push(...(await listAnimations(page)))
  await page.setViewportSize(DESKTOP)
  vitestExpect.soft(problems, page.url()).toEqual([])
}

/** Adds the styles in a way that the content security policy allows. */
const measureOverflow = (page: Page, css = '') =>
  page.evaluate((styles) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets.push(sheet)
    const overflow = document.documentElement.scrollWidth - innerWidth
    document.adoptedStyleSheets.pop()
    return overflow
  }, css)

/** Contexts prefer reduced motion by default, so the page must not move. */
const listAnimations = (page: Page) =>
  page.evaluate(() =>
    matchMedia('(prefers-reduced-motion: reduce)').matches
      ? document
          .getAnimations()
          .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 0)
          .map((animation) => `moves: ${(animation as CSSAnimation).animationName ?? 'a transition'}`)
      : [],
  )

/** Solves the captcha in the open dialog. */
export async function solveCaptcha(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const question = dialog.getByText(/^What is \d+ [+−×] \d+\?$/)
  await expect(question).toBeVisible()
  const { solveQuestion } = await import('./apiCalls.ts')
  await dialog
    .getByLabel(/captcha|answer/i)
    .first()
    .fill(String(solveQuestion((await question.textContent()) ?? '')))
}
