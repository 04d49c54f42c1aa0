import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Request } from 'playwright'
import { findBrowser } from '#tests/setup/browser.ts'
import { median } from './statistics.ts'

/** Slowdown of the browser's processor. */
const SLOWDOWN = 4
/** Tasks that are shorter do not delay a visitor's input noticeably. */
const LONG_TASK_MS = 50
/** Time for hydration and idle work after the page has loaded. */
const SETTLE_MS = 4000
/** Groups of events in Chromium's traces: each task of each thread, and what it worked on. */
const TRACED = ['toplevel', 'devtools.timeline']

/** The time of a single visit varies by a factor of two. */
const VISITS = 5

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args: TraceArguments }
type TraceArguments = { name?: string; beginData?: { url?: string } }
type Visit = { scriptBytes: number; blockingMs: number }

/**
 * Measures a new visitor's first page in Chromium: compressed scripts, and blocking time at a quarter of the speed, medians of
 * several visits. The browser runs already and has shown another file of the site, so that its start is not counted.
 *
 * The blocking time is that of the processor, multiplied by the slowdown. With a real slowdown, what else runs on the machine
 * counts as well, such as the windows of Chromium itself: the same page took 50 to 1,300 ms.
 */
export async function measureFirstVisit(url: string): Promise<Visit> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
  try {
    const visits: Visit[] = []
    for (let number = 0; number < VISITS; number++) visits.push(await visit(browser, url))
    return {
      scriptBytes: median(visits.map(({ scriptBytes }) => scriptBytes)),
      blockingMs: median(visits.map(({ blockingMs }) => blockingMs)),
    }
  } finally {
    await browser.close()
  }
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(new URL('/robots.txt', url).href)
  const scripts: Request[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request)
  })
  // For stack traces, V8 parses scripts again while a debugger is attached: 0.04 s for the errors that React creates.
  await page.addInitScript(() => {
    Error.stackTraceLimit = 0
  })
  await browser.startTracing(page, { categories: TRACED })
  await page.goto(url)
  await sleep(SETTLE_MS)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  const sizes = await Promise.all(scripts.map((request) => request.sizes()))
  await context.close()
  return {
    scriptBytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0),
    blockingMs: blockingTimeOf(traceEvents, url),
  }
}

/**
 * Returns the blocking time of the main thread of the page with this URL, in ms.
 * @throws Error if the trace has no such page
 */
function blockingTimeOf(events: TraceEvent[], url: string): number {
  const page = events.find(({ name, args }) => name === 'ParseHTML' && args.beginData?.url === url)
  const thread = events.find(
    ({ name, pid, args }) => pid === page?.pid && name === 'thread_name' && args.name === 'CrRendererMain',
  )
  if (!thread) throw new Error(`The trace has no page ${url}`)
  let blockingMs = 0
  for (const { name, ph, pid, tid, tdur = 0 } of events) {
    if (pid !== thread.pid || tid !== thread.tid || name !== 'ThreadControllerImpl::RunTask' || ph !== 'X') continue
    blockingMs += Math.max(0, (tdur / 1000) * SLOWDOWN - LONG_TASK_MS)
  }
  return blockingMs
}
