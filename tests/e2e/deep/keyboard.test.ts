import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { type BrowserSite, expect, startBrowserSite } from '#tests/helpers/browser.ts'
import { expectVisibleFocus, pressOn, tabTo } from '#tests/helpers/keyboard.ts'
import { expectSound, key, player } from '#tests/helpers/player.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { solve } from '#tests/helpers/states/state.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url))
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
let service: RadioService
let site: BrowserSite
/** the API's path of the only thread */
let thread: string

beforeAll(async () => {
  service = await startRadioService({ sound: read('../../../server/features/radio/library/demo.mp3') })
  const stations = read('../../fixtures/azuracast/stations.json').toString()
  const [station] = JSON.parse(stations.replaceAll('https://radio.example', service.url))
  service.set('stations', { json: [station, { ...station, id: 2, name: 'Second Station', shortcode: 'second' }] })
  site = await startBrowserSite({ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY })
  const { threads, threadId } = await createBoardWithThread(site.server.origin, 'Keys')
  thread = `${threads}/${threadId}`
})
afterAll(async () => {
  await site.close()
  await service.close()
})

const button = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name, exact: typeof name === 'string' }).first()
const link = (scope: Page | Locator, name: string) => scope.getByRole('link', { name, exact: true }).first()
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const dialog = (page: Page) => page.getByRole('dialog')
const main = (page: Page) => page.getByRole('main')
const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

async function type(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.type(text)
}

async function chooseImage(field: Locator): Promise<void> {
  // Listens before other calls to the page: the browser opens its own dialog until it knows of the listener.
  const chooser = field.page().waitForEvent('filechooser')
  await tabTo(field)
  await field.page().keyboard.press('Enter')
  const buffer = await stillImage(60, 40).png().toBuffer()
  await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer })
}

/** Fills the open dialog of a post and sends it. */
async function sendPost(page: Page, submit: string): Promise<void> {
  const captcha = dialog(page).getByLabel('Captcha')
  await type(captcha, await solve(page))
  await pressOn(button(dialog(page), submit))
  await expect(dialog(page)).toBeHidden()
}

test('moves between pages with the skip link, links and menus', async () => {
  const page = await site.visit('/')
  await pressOn(page.getByRole('link', { name: 'Skip to content' }))
  await page.keyboard.press('Tab')
  await expect(main(page).locator(':focus')).toHaveCount(1)
  await tabTo(link(page.getByRole('banner'), 'About'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/about$/)
  await expect(heading(page)).toBeFocused()
  const tools = button(page.getByRole('banner'), 'Tools')
  await tabTo(tools, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(link(page.getByRole('banner'), 'Image Sharing'))
  await page.keyboard.press('Escape')
  await expectVisibleFocus(tools)
  await page.keyboard.press('Enter')
  await pressOn(link(page.getByRole('banner'), 'Paste Service'))
  await expect(heading(page)).toHaveText('Paste Service')
  await expect(heading(page)).toBeFocused()
  await page.goBack()
  await expect(page).toHaveURL(/\/about$/)
  await expect(heading(page)).toBeFocused()
})

test('posts a thread with an image, a comment and a reply, and deletes the comment', async () => {
  const page = await site.visit('/dtpchan')
  await pressOn(main(page).locator('a[href="/dtpchan/board/keys"]').first())
  await expect(heading(page)).toBeFocused()
  await pressOn(button(page, 'Create Thread'))
  await expectVisibleFocus(dialog(page).getByLabel('Title', { exact: true }))
  await page.keyboard.press('Escape')
  await expectVisibleFocus(button(page, 'Create Thread'))
  await page.keyboard.press('Enter')
  await type(dialog(page).getByLabel('Title', { exact: true }), 'Typed')
  await type(dialog(page).getByLabel('Content', { exact: true }), 'All by keyboard')
  await type(dialog(page).getByLabel('Username', { exact: true }), 'keys')
  await chooseImage(dialog(page).locator('input[type=file]'))
  await expect(dialog(page).getByText('a.png')).toBeVisible()
  await tabTo(dialog(page).getByLabel('Content', { exact: true }), 'Shift+Tab')
  await sendPost(page, 'Create Thread')
  await expectVisibleFocus(button(page, 'Create Thread'))

  await pressOn(link(main(page), 'Typed'))
  await expect(heading(page)).toHaveText('Typed')
  await expect(heading(page)).toBeFocused()
  await pressOn(button(page, 'Comment'))
  await type(dialog(page).getByLabel('Content', { exact: true }), 'A comment')
  // Waits for the question.
  await solve(page)
  await type(dialog(page).getByLabel('Captcha'), '999')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText(t('board.captchaRefused'))
  await expectVisibleFocus(dialog(page).getByLabel('Captcha'))
  await sendPost(page, 'Post Comment')
  await expect(page.locator('article:focus')).toContainText('A comment')

  await pressOn(button(page, 'Reply'))
  await type(dialog(page).getByLabel('Content', { exact: true }), 'A reply')
  await sendPost(page, 'Post Reply')
  await expect(page.locator('article:focus')).toContainText('A reply')
  const remove = button(page, /^Delete comment No/)
  await pressOn(remove)
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expectVisibleFocus(remove)
  await page.keyboard.press('Enter')
  await pressOn(button(dialog(page), 'Delete'))
  await expect(page.getByRole('heading', { name: 'Comments (0)' })).toBeFocused()
})

test('announces the comments of others', async () => {
  const page = await site.visit(thread.replace('/api/dtpchan/boards', '/dtpchan/board').replace('threads', 'thread'))
  await postForm(site.server.origin, `${thread}/comments`, { content: 'Hello', author: 'visitor' })
  await expect(status(page, 'New comment by visitor')).toHaveCount(1)
})

test('creates, copies, burns and deletes a paste', async () => {
  const page = await site.visit('/paste-service', clipboard)
  await type(page.getByRole('textbox', { name: 'Content' }), 'Read me once')
  await pressOn(page.getByRole('checkbox', { name: /^Burn after reading/ }), 'Space')
  await pressOn(button(page, 'Create Paste'))
  await expect(page.getByRole('region', { name: 'Paste created' })).toBeFocused()
  await pressOn(button(page, 'Copy URL'))
  await expect(status(page, 'Copied!')).toHaveCount(1)
  await pressOn(button(page, 'QR code'))
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectVisibleFocus(button(page, 'QR code'))

  await page.goto(await page.getByLabel('Paste URL').inputValue())
  await pressOn(button(page, 'Read and delete'))
  await expect(page.getByText('Read me once')).toBeVisible()
  await expect(heading(page)).toBeFocused()
  await pressOn(button(page, 'Copy Content'))
  expectValue(await page.evaluate(() => navigator.clipboard.readText())).toBe('Read me once')

  await page.goto('/paste-service')
  await type(page.getByRole('textbox', { name: 'Content' }), 'Delete me')
  await pressOn(button(page, 'Create Paste'))
  await page.goto(await page.getByLabel('Delete link').inputValue())
  await pressOn(button(page, 'Delete paste'))
  await expectVisibleFocus(status(page, 'The paste has been deleted.'))
})

test('shares, opens and deletes an image', async () => {
  const page = await site.visit('/image-sharing')
  await pressOn(button(page, 'Upload Image'))
  await expect(main(page).getByRole('alert')).toBeFocused()
  await tabTo(page.getByLabel('Expiration'))
  await page.keyboard.press('ArrowUp')
  await tabTo(page.getByLabel('Image', { exact: true }), 'Shift+Tab')
  await chooseImage(page.getByLabel('Image', { exact: true }))
  await expect(page.getByAltText('Preview of a.png')).toBeVisible()
  await pressOn(button(page, 'Remove file'))
  await expectVisibleFocus(page.getByLabel('Image', { exact: true }))
  await chooseImage(page.getByLabel('Image', { exact: true }))
  await pressOn(button(page, 'Upload Image'))
  await expect(page.getByRole('region', { name: 'Image uploaded successfully!' })).toBeFocused()
  const deletion = await page.getByLabel('Delete link').inputValue()
  await page.goto(await page.getByLabel('Image URL').inputValue())
  await tabTo(link(page, 'Download'))
  await page.goto(deletion)
  await pressOn(button(page, 'Delete image'))
  await expectVisibleFocus(status(page, 'The image has been deleted.'))
})

test('searches and filters programs', async () => {
  const page = await site.visit('/programs-we-love')
  await type(page.getByRole('searchbox'), 'no such program')
  await expect(status(page, '0 programs')).toBeVisible()
  await pressOn(link(page, 'Show all programs'))
  await expect(status(page, /^\d\d programs$/)).toBeFocused()
  await tabTo(page.getByRole('radio', { name: /^All Categories/ }), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/\?category=/)
  const login = button(page, 'Login to Add Program')
  await tabTo(login, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectVisibleFocus(dialog(page).getByLabel('Email'))
  await page.keyboard.press('Escape')
  await expectVisibleFocus(login)
})

test('plays, pauses, mutes and folds the player, and changes its volume and station', async () => {
  const page = await site.visit('/about')
  await pressOn(key(page, 'Play'), 'Space')
  await expectSound(page)
  await pressOn(key(page, 'Pause'), 'Space')
  await expectVisibleFocus(key(page, 'Play'))
  await pressOn(key(page, 'Mute'))
  await expectVisibleFocus(key(page, 'Unmute'))
  await tabTo(player(page).getByLabel('Volume'))
  await page.keyboard.press('ArrowRight')
  await expect(player(page).getByLabel('Volume')).toHaveValue('0.51')
  await pressOn(key(page, 'Maximise'))
  await expectVisibleFocus(key(page, 'Restore'))
  await tabTo(player(page).getByLabel('Station'))
  await page.keyboard.press('ArrowDown')
  await expect(player(page).getByLabel('Station')).toHaveValue('2')
  await pressOn(player(page).getByRole('switch', { name: 'Shortcuts' }), 'Space')
  await expect(player(page).getByRole('switch', { name: 'Shortcuts' })).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expectVisibleFocus(key(page, 'Maximise'))
})
