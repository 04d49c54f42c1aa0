import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CDPSession, Page, Worker } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { type BrowserSite, expect, expectAccessible, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { createPushKeys } from '#tests/helpers/pushKeys.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'

/** The parts of a service worker's global scope that tests use. */
type WorkerScope = EventTarget & {
  registration: ServiceWorkerRegistration
  clients: { openWindow: (url: string) => Promise<null> }
  WindowClient: { prototype: { url: string; focus: () => Promise<unknown> } }
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event
}

const WORKER = '/alerts-worker.js'

const { keys, decrypt } = createPushKeys()
let site: BrowserSite
let endpoint: string
let thread: string
let client: SiteClient
let pushed: (body: Buffer) => void
const pushService = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  pushed(Buffer.concat(chunks))
  response.writeHead(201).end()
})

beforeAll(async () => {
  pushService.listen(0, '127.0.0.1')
  await once(pushService, 'listening')
  endpoint = `http://127.0.0.1:${(pushService.address() as AddressInfo).port}/push`
  site = await startBrowserSite({ ALLOW_PRIVATE_NETWORK: 'on' }, { whole: true })
  const made = await createBoardWithThread(site.server.origin, 'Alerts')
  client = made.client
  thread = made.path
})
afterAll(async () => {
  await site.close()
  pushService.close()
})

/** Replaces the push service, which Chromium has only in windows that are not private. */
const fakePushService = (page: Page, accepts: boolean) =>
  page.addInitScript(
    ([fields, isAccepting]) => {
      const subscription = {
        ...fields,
        toJSON: () => fields,
        unsubscribe: async () => localStorage.removeItem('pushed'),
      } as unknown as PushSubscription
      PushManager.prototype.getSubscription = async () => (localStorage.getItem('pushed') ? subscription : null)
      PushManager.prototype.subscribe = async (options) => {
        if (!isAccepting || !options?.applicationServerKey) throw new DOMException('No push service', 'AbortError')
        localStorage.setItem('pushed', 'yes')
        return subscription
      }
    },
    [{ endpoint, keys }, accepts] as const,
  )

async function openAccount(options = {}, accepts = true): Promise<Page> {
  const page = await site.visit('/about', { serviceWorkers: 'allow', ...options })
  await fakePushService(page, accepts)
  await site.logIn(page)
  await page.goto('/account')
  return page
}
const alerts = (page: Page) => page.getByRole('region', { name: 'Alerts' })

/**
 * Delivers a message to the alerts' service worker, as the push service would, and waits for its notification: Chromium
 * may drop a notification that a page or worker lists while it is being shown.
 */
async function deliver(devtools: CDPSession, origin: string, data: string): Promise<void> {
  const registered = new Promise<{ registrationId: string }>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL.endsWith('/admin/'))
      if (registration) resolve(registration)
    }),
  )
  const activated = new Promise((resolve) =>
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ scriptURL, status }) => scriptURL.endsWith(WORKER) && status === 'activated')) resolve(true)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registration = await registered
  await activated
  const shown = new Promise((resolve) =>
    devtools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: { eventName } }) => {
      if (eventName === 'Notification displayed') resolve(true)
    }),
  )
  await devtools.send('BackgroundService.startObserving', { service: 'notifications' })
  await devtools.send('BackgroundService.setRecording', { service: 'notifications', shouldRecord: true })
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: registration.registrationId,
    data,
  })
  await shown
}

test('a report becomes a notification that opens the queue', async () => {
  const page = await openAccount({ permissions: ['notifications'] })
  await alerts(page).getByRole('button', { name: 'Alert me' }).focus()
  await page.keyboard.press('Enter')
  const stop = alerts(page).getByRole('button', { name: 'Stop alerts' })
  await expect(stop).toBeFocused()
  await expect(page.getByText('Alerts are on')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(stop).toBeVisible()

  const received = new Promise<Buffer>((resolve) => {
    pushed = resolve
  })
  await client.post('/api/moderation/reports', { url: thread, reason: 'spam' })
  await client.call('POST', '/trpc/site.operations.runJob', { json: { name: 'outbox' } })
  const message = decrypt(await received)
  await deliver(await page.context().newCDPSession(page), site.server.origin, message)

  const worker = () => runningWorker(page)
  const readNotifications = async () =>
    (await worker()).evaluate(async () => {
      const { registration } = globalThis as unknown as WorkerScope
      return (await registration.getNotifications()).map(({ title, body, data }) => ({ title, body, data }))
    })
  expectValue(await readNotifications()).toEqual([{ title: '1 new report', body: '/alerts/', data: '/admin/queue' }])
  expectValue(await clickNotification(await worker())).toEqual([`opened ${site.server.origin}/admin/queue`])
  expectValue(await readNotifications()).toEqual([])

  // The worker controls only the admin area, and loads none of its pages.
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? '')
  expectValue(await controller()).not.toContain(WORKER)
  await page.goto('/admin/queue')
  expectValue(await controller()).toContain(WORKER)
  const [{ workerStart }] = await page.evaluate(
    () => performance.getEntriesByType('navigation') as [PerformanceNavigationTiming],
  )
  expectValue(workerStart).toBe(0)
  await deliver(await page.context().newCDPSession(page), site.server.origin, message)
  expectValue(await readNotifications()).toHaveLength(1)
  expectValue(await clickNotification(await worker())).toEqual([`focused ${site.server.origin}/admin/queue`])

  await page.goto('/account')
  const unsubscribed = page.waitForResponse(/alerts\.unsubscribe/)
  await stop.press('Enter')
  expectValue((await unsubscribed).status()).toBe(200)
  await expect(alerts(page).getByRole('button', { name: 'Alert me' })).toBeFocused()
  await page.reload()
  await expect(alerts(page).getByRole('button', { name: 'Alert me' })).toBeVisible()
})

/** Returns the alerts' service worker. Chromium stops idle workers, and a message starts them again a moment later. */
async function runningWorker(page: Page): Promise<Worker> {
  const isAlerts = (worker: Worker) => worker.url().endsWith(WORKER)
  const context = page.context()
  return context.serviceWorkers().find(isAlerts) ?? context.waitForEvent('serviceworker', isAlerts)
}

/** Clicks the notification. Browsers let a worker open and focus windows only after a real click, so both are noted. */
const clickNotification = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as WorkerScope
    const done: string[] = []
    scope.clients.openWindow = async (url) => {
      done.push(`opened ${url}`)
      return null
    }
    scope.WindowClient.prototype.focus = async function () {
      done.push(`focused ${this.url}`)
      return this
    }
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('No notification is shown')
    const event = new scope.NotificationEvent('notificationclick', { notification })
    const waiting: Promise<unknown>[] = []
    Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => waiting.push(promise) })
    scope.dispatchEvent(event)
    await Promise.all(waiting)
    return done
  })

test.runIf(isDeep)('says why a browser cannot show alerts', async () => {
  const page = await openAccount({}, false)
  const turnOn = alerts(page).getByRole('button', { name: 'Alert me' })
  await turnOn.click()
  await expect(alerts(page).getByRole('alert')).toHaveText(t('board.alertDenied'))
  await expectAccessible(page)

  await page.context().grantPermissions(['notifications'])
  await turnOn.click()
  await expect(alerts(page).getByRole('alert')).toHaveText(t('board.alertRefused'))

  await page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager'))
  await page.reload()
  await expect(alerts(page)).toContainText(t('board.alertUnsupported'))
  await expect(alerts(page).getByRole('button')).toHaveCount(0)
})

test('serves the worker with the site policy, and without time in caches', async () => {
  const { headers } = await fetch(`${site.server.origin}${WORKER}`)
  expectValue(headers.get('content-type')).toContain('javascript')
  expectValue(headers.get('cache-control')).toBe('public, max-age=0')
  expectValue(headers.get('content-security-policy')).toContain("default-src 'none'")
  expectValue(await (await fetch(`${site.server.origin}/account`)).text()).not.toContain('Alert me')
})
