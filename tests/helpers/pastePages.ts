import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'

export const CODE = 'const answer: number = 42 // <b>\r\nexport function twice(x: number) {\n\treturn x * 2\n}\n'
export const clipboard: BrowserContextOptions = { permissions: ['clipboard-read', 'clipboard-write'] }

export let site: BrowserSite
/** Starts a site that logs everything, for the tests of a file. */
export function startPasteSite(): void {
  beforeAll(async () => {
    site = await startBrowserSite({ LOG_LEVEL: 'trace' })
  })
  afterAll(() => site.close())
}

type Made = { url: string; path: string; id: string; deletePath: string }
export async function createPaste(json: object = {}): Promise<Made> {
  const answer = await fetch(`${site.server.origin}/api/paste`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: CODE, expiryHours: 24, ...json }),
  })
  const { url, deleteUrl } = await answer.json()
  const deleting = new URL(deleteUrl)
  return {
    url,
    path: new URL(url).pathname,
    id: url.split('/').at(-1),
    deletePath: deleting.pathname + deleting.search,
  }
}
export const get = (path: string, init: RequestInit = {}) =>
  fetch(`${site.server.origin}${path}`, { redirect: 'manual', ...init })
export const views = async (id: string) => Number((await (await get(`/api/paste/${id}`)).json()).paste.views)
export const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
export const content = (page: Page) => page.getByRole('textbox', { name: 'Content' })
export const createButton = (page: Page) => page.getByRole('button', { name: 'Create Paste' })

/** Creates a paste through the form and returns the URL shown. */
export async function submitPasteForm(page: Page, text: string): Promise<string> {
  await content(page).fill(text)
  await createButton(page).click()
  await expect(page.getByText('Paste created')).toBeVisible()
  return page.getByRole('textbox', { name: 'Paste URL' }).inputValue()
}
