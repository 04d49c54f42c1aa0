import type { Page } from 'playwright'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import type { BrowserSite } from '#tests/helpers/browser.ts'
import type { SiteContent } from '#tests/helpers/siteContent.ts'

type Visit = { page: Page; site: BrowserSite; content: SiteContent; check: () => Promise<void> }
/** A page, and what brings it into the states that `check` examines. */
export type State = [name: string, path: (content: SiteContent) => string, open: (visit: Visit) => Promise<unknown>]

export const QUESTION = /^What is \d+ [+−×] \d+\?$/
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
export const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** Fills the fields that every post needs. */
export async function fillPost(page: Page, captcha?: string): Promise<void> {
  await page.getByLabel('Content', { exact: true }).fill('Some text')
  await page.getByLabel('Username', { exact: true }).fill('somebody')
  await page.getByLabel('Captcha').fill(captcha ?? (await solve(page)))
}

/** Returns the answer to the captcha on the page. */
export const solve = async (page: Page) => String(solveQuestion((await page.getByText(QUESTION).textContent()) ?? ''))
