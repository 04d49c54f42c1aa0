import type { Page } from 'playwright'
import { expect } from '#tests/helpers/browser.ts'
import { alert, fillPost, press, type State, solve } from './state.ts'

async function sendForm(page: Page, button: string): Promise<void> {
  const answer = page.waitForEvent('domcontentloaded')
  await press(page, button)
  await answer
}

/** Answers to forms that a browser sends itself, before or without scripts. The last one bans the visitor. */
export const servedAnswers: State[] = [
  [
    'a refused, a created and a deleted paste',
    () => '/paste-service',
    async ({ page, check }) => {
      await sendForm(page, 'Create Paste')
      await check()
      await page.getByRole('textbox', { name: 'Content' }).fill('text')
      await sendForm(page, 'Create Paste')
      // The server does not know the port of its test.
      const deletion = new URL(await page.getByLabel('Delete link').inputValue())
      await check()
      await page.goto(deletion.pathname + deletion.search, { waitUntil: 'commit' })
      await sendForm(page, 'Delete paste')
      await check()
    },
  ],
  [
    'a refused image',
    () => '/image-sharing',
    async ({ page, check }) => {
      await sendForm(page, 'Upload Image')
      await check()
    },
  ],
  [
    'a refused and a held comment',
    ({ commentForm }) => commentForm,
    async ({ page, content, check }) => {
      await content.asAdmin('PUT', '/api/moderation/switches/hold-posts', { on: true })
      await fillPost(page, '999')
      await sendForm(page, 'Post Comment')
      await check()
      await page.getByLabel('Captcha').fill(await solve(page))
      await sendForm(page, 'Post Comment')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your post is waiting for review')
      await check()
      await content.asAdmin('PUT', '/api/moderation/switches/hold-posts', { on: false })
    },
  ],
  [
    'a banned visitor’s comment and appeal',
    ({ commentForm }) => commentForm,
    async ({ page, content, check }) => {
      await fillPost(page)
      await content.banVisitors()
      await sendForm(page, 'Post Comment')
      await expect(alert(page)).toContainText('Reason: Advertising')
      await check()
      const appeal = await alert(page).getByRole('link', { name: 'Appeal this ban' }).getAttribute('href')
      await page.goto(String(appeal), { waitUntil: 'commit' })
      await check()
      await page.getByLabel('Why should the ban end?').fill('It was a mistake')
      await sendForm(page, 'Send appeal')
      await check()
    },
  ],
]
