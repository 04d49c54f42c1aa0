import type { Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import {
  APPEARANCES,
  type BrowserSite,
  expect,
  expectAccessible,
  solveCaptcha,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { readJson } from '#tests/helpers/siteProcess.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

const SECRET = 'correct-horse-battery'
const CODE = /^!![\w-]{11}$/

let site: BrowserSite
let thread: string
let form: string
let comments: string

beforeAll(async () => {
  site = await startBrowserSite()
  const { threads, threadId } = await createBoardWithThread(site.server.origin, 'Names')
  thread = `/dtpchan/board/names/thread/${threadId}`
  form = `/dtpchan/board/names/post?thread=${threadId}`
  comments = `${threads}/${threadId}/comments`
})
afterAll(() => site.close())

const comment = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).last()

test('an author with a tripcode posts without a bump; the browser keeps the secret', async () => {
  const page = await site.visit(thread)
  await page.getByRole('button', { name: 'Comment' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Content').fill('with a code')
  await dialog.getByLabel('Username').fill('gl1tch##')
  await dialog.getByLabel('Do not bump').check()
  await solveCaptcha(page)
  await dialog.getByRole('button', { name: 'Post Comment' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(t('board.tripcodeSecret'))
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await dialog.getByLabel('Username').fill(`gl1tch##${SECRET}`)
  await dialog.getByRole('button', { name: 'Post Comment' }).click()
  const posted = comment(page, 'with a code')
  await expect(posted.getByText(CODE)).toBeVisible()
  await expect(posted.getByText('sage', { exact: true })).toBeVisible()
  await expect(posted.getByText('gl1tch', { exact: true })).toBeVisible()
  expectValue(await page.content()).not.toContain(SECRET)
  await page.reload()
  await expect(comment(page, 'with a code').getByText(CODE)).toBeVisible()
  await page.getByRole('button', { name: 'Comment' }).first().click()
  await expect(page.getByRole('dialog').getByLabel('Username')).toHaveValue(`gl1tch##${SECRET}`)
  await expect(page.getByRole('dialog').getByLabel('Do not bump')).not.toBeChecked()
  await page.context().close()
})

test('a refused form without script keeps the option, and asks for the secret again', async () => {
  const page = await visitStrictly(site, form)
  const fill = async (author: string) => {
    await page.getByLabel('Content').fill('without script')
    await page.getByLabel('Username').fill(author)
    await page.getByLabel('Captcha').fill('100')
  }
  await page.getByLabel('Do not bump').check()
  await fill(`gl1tch#${SECRET}`)
  await page.getByRole('button', { name: 'Post Comment' }).click()
  await expect(page.getByLabel('Username')).toHaveValue('gl1tch#')
  await expect(page.getByLabel('Do not bump')).toBeChecked()
  expectValue(await page.content()).not.toContain(SECRET)
  await fill(`gl1tch#${SECRET}`)
  const question = (await page.getByText(/^What is/).textContent()) ?? ''
  await page.getByLabel('Captcha').fill(String(solveQuestion(question)))
  await page.getByRole('button', { name: 'Post Comment' }).click()
  const posted = comment(page, 'without script')
  await expect(posted.getByText(CODE)).toBeVisible()
  await expect(posted.getByText('sage', { exact: true })).toBeVisible()
  await page.context().close()
})

test('an admin switches labels on, and readers see them', async () => {
  const page = await site.visit('/dtpchan')
  await site.logIn(page)
  await page.goto('/admin/boards')
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Show an ID per poster').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Board /names/ changed')).toBeVisible()
  await postForm(site.server.origin, comments, { author: `other##${SECRET}`, content: 'with a label', sage: 'true' })
  await page.context().close()
  for (const { colorScheme, viewport } of APPEARANCES) {
    const reader = await site.visit(thread, { colorScheme, viewport })
    await expect(comment(reader, 'with a label').getByText(/^ID: [A-Za-z0-9+/]{8}$/)).toBeVisible()
    await expectAccessible(reader)
    await reader.context().close()
  }
})

test('the data of the posts says what the page shows', async () => {
  const { thread: read } = await readJson(await fetch(`${site.server.origin}${comments.replace(/\/comments$/, '')}`))
  expectValue(read.comments).toMatchObject([
    { author: 'gl1tch', tripcode: expectValue.stringMatching(CODE), sage: true, posterLabel: null },
    { author: 'gl1tch', sage: true },
    { author: 'other', tripcode: read.comments[0].tripcode, posterLabel: expectValue.stringMatching(/^.{8}$/) },
  ])
  expectValue(read.lastActivity).toBe(read.createdAt)
})
