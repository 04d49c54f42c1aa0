import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Request } from 'playwright'
import { findBrowser } from '#tests/setup/browser.ts'
import { median } from './statistics.ts'

/** Slowdown of the browser's processor. */
const SLOWDOWN = 4
/** Tasks that are shorter do not delay a visitor's input noticeably. */
const LONG_TASK_MS = 50
/** Time for hydration and idle work after the page has loaded. */
const SETTLE_MS = 5000

/** The time of a single visit varies by a factor of two. */
const VISITS = 5

/**
 * Measures a new visitor's first page in Chromium at a quarter of the speed: compressed scripts and blocking time, medians of
 * several visits. The browser runs already and has shown another file of the site, so that its start is not counted.
 */
export async function measureFirstVisit(url: string): Promise<{ scriptBytes: number; blockingMs: number }> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  try {
    const visits: Awaited<ReturnType<typeof visit>>[] = []
    for (let number = 0; number < VISITS; number++) visits.push(await visit(browser, url))
    return {
      scriptBytes: median(visits.map(({ scriptBytes }) => scriptBytes)),
      blockingMs: median(visits.map(({ blockingMs }) => blockingMs)),
    }
  } finally {
    await browser.close()
  }
}

async function visit(browser: Browser, url: string): Promise<{ scriptBytes: number; blockingMs: number }> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(new URL('/robots.txt', url).href)
  const scripts: Request[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request)
  })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript(() => {
    // For stack traces, V8 parses scripts again while a debugger is attached: 0.04 s for the errors that React creates.
    Error.stackTraceLimit = 0
    const durations: number[] = []
    Object.assign(window, { longTasks: durations })
    const observer = new PerformanceObserver((list) =>
      durations.push(...list.getEntries().map((task) => task.duration)),
    )
    observer.observe({ type: 'longtask' })
  })
  await page.goto(url)
  await sleep(SETTLE_MS)
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  const sizes = await Promise.all(scripts.map((request) => request.sizes()))
  await context.close()
  return {
    scriptBytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0),
    blockingMs: tasks.reduce((sum, ms) => sum + ms - LONG_TASK_MS, 0),
  }
}
