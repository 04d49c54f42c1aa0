import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Request } from 'playwright'
import { findBrowser } from '#tests/setup/browser.ts'

/** Slowdown of the browser's processor. */
const SLOWDOWN = 4
/** Tasks that are shorter do not delay a visitor's input noticeably. */
const LONG_TASK_MS = 50
/** Time for hydration and idle work after the page has loaded. */
const SETTLE_MS = 5000

/** Measures a new visitor's first page in Chromium at a quarter of the speed: compressed scripts and blocking time. */
export async function measureFirstVisit(url: string): Promise<{ scriptBytes: number; blockingMs: number }> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' })
    const scripts: Request[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request)
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.addInitScript(() => {
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
    return {
      scriptBytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0),
      blockingMs: tasks.reduce((sum, ms) => sum + ms - LONG_TASK_MS, 0),
    }
  } finally {
    await browser.close()
  }
}
