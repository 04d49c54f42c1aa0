import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'
import { ADMIN, runCommand } from '#tests/helpers/siteProcess.ts'

export const MODERATOR = { email: 'mira@example.org', password: 'moderators password' }
export const EMPTY = 'Nothing waits for a review.'

export let site: BrowserSite
export let client: SiteClient
export let threads: string
export let thread: { id: number; path: string }
let posters = 0

/** Starts a site with a watched board for the tests of a file, and empties the queue before each. */
export function startQueueSite(): void {
  beforeAll(async () => {
    // Behind a proxy, so that tests can post from several addresses.
    site = await startBrowserSite({ TRUST_PROXY: '127.0.0.1' })
    client = await createAdminClient(site.server.origin)
    threads = (await client.createBoard('Watched')).threads
    const { id } = (await post(threads, { title: 'A good thread', content: 'The opening' })).thread
    thread = { id, path: `/dtpchan/board/watched/thread/${id}` }
    const held = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
    await client.call('POST', '/api/moderation/filters', held)
    await runCommand(site.location, ['users', 'add', MODERATOR.email], `${MODERATOR.password}\n`)
    await runCommand(site.location, ['boards', 'moderators', 'watched', 'add', MODERATOR.email])
  })
  afterAll(() => site.close())

  beforeEach(async () => {
    const { items } = await readQueue()
    for (const { kind, report, post, ban } of items) {
      if (kind === 'report') {
        await client.call('POST', `/api/moderation/reports/${report.reportId}`, { action: 'dismiss' })
      } else if (kind === 'held') await client.call('POST', `/api/moderation/held/${post.id}/refuse`, {})
      else await client.call('POST', `/api/moderation/bans/${ban.id}/lift`, {})
    }
  })
}

export const readQueue = () => client.call('GET', '/api/moderation/queue')
export const newAddress = () => `192.0.2.${++posters}`

export const post = (path: string, fields: Record<string, string | Blob>, from = newAddress()) =>
  client.post(path, fields, from)

export const comment = async (content: string, fields: Record<string, string | Blob> = {}, from = newAddress()) =>
  (await post(`${threads}/${thread.id}/comments`, { content, ...fields }, from)).comment.id as number

export const report = (url: string, reason = 'spam', text = 'Look at this.') =>
  post('/api/moderation/reports', { url, reason, text })

export const sendPaste = (content: string, from?: string) =>
  client.call('POST', '/api/paste', { content, expiryHours: 1 }, from)
export const createPaste = async (content: string, from?: string) =>
  new URL((await sendPaste(content, from)).url).pathname

/** Bans the poster of a new post, who appeals. */
export async function appeal(text: string, boardId: string | null = 'watched'): Promise<void> {
  const from = newAddress()
  const itemId = String(await comment(`before the ban: ${text}`, {}, from))
  const endsAt = new Date(Date.now() + 86_400_000)
  const ban = { kind: 'post', itemId, boardId, width: 'host', reason: 'Advertising', endsAt }
  await client.call('POST', '/api/moderation/bans', ban)
  const refused = await post(threads, { title: 'Again', content: 'x' }, from)
  await client.call('POST', '/api/moderation/appeals', { appealToken: refused.ban.appealToken, text }, from)
}

export async function openQueue(options = {}, user = ADMIN): Promise<Page> {
  const page = await site.visit('/about', options)
  await site.logIn(page, user.email, user.password)
  await page.goto('/admin/queue')
  return page
}

export const item = (page: Page) => page.getByRole('article')
export const button = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Actions' }).getByRole('button', { name, exact: true })

/** Presses a key when the item takes actions. */
export async function press(page: Page, key: string, name: string): Promise<void> {
  await expect(button(page, name)).toBeEnabled()
  await expect(button(page, name)).toHaveAttribute('aria-keyshortcuts', key)
  await page.keyboard.press(key)
}

export const contents = async () =>
  (await client.call('GET', `${threads}/${thread.id}`)).thread.comments.map(
    ({ content }: { content: string }) => content,
  )
export const status = async (path: string) => (await fetch(`${site.server.origin}${path}`)).status
