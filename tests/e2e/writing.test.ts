import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  type BrowserSite,
  DESKTOP,
  expect,
  expectAccessible,
  PHONE,
  solveCaptcha,
  startBrowserSite,
} from '#tests/helpers/browser.ts'
import { isDeep, someOf } from '#tests/helpers/depth.ts'
import { createAdminClient, type SiteClient } from '#tests/helpers/siteClient.ts'

let site: BrowserSite
let client: SiteClient
let path: string
let ids: Record<'thread' | 'first' | 'second' | 'nested' | 'other', number>
beforeAll(async () => {
  site = await startBrowserSite()
  client = await createAdminClient(site.server.origin)
  const { path: board, threads } = await client.createBoard('Writing')
  const { thread } = await client.post(threads, { title: 'Beside the page', content: 'Opening', author: 'ferrite' })
  const comments = `${threads}/${thread.id}/comments`
  const make = async (url: string, content: string, author: string): Promise<number> => {
    const answer = await client.post(url, { content, author })
    return (answer.comment ?? answer.reply).id
  }
  const first = await make(comments, 'First comment', 'mira')
  const nested = await make(`${comments}/${first}/replies`, 'A nested reply', 'kessel')
  const other = await make(`${comments}/${first}/replies`, 'Another reply', 'kessel')
  for (let at = 0; at < 12; at++) await make(comments, `Filler ${at}\n${'line\n'.repeat(6)}end`, 'gl1tch')
  const second = await make(comments, 'Second comment', 'nullbyte')
  ids = { thread: thread.id, first, second, nested, other }
  path = `${board}/thread/${thread.id}`
})
afterAll(() => site.close())

const composer = (page: Page) => page.getByRole('dialog')
const content = (page: Page) => composer(page).getByLabel('Content', { exact: true })
const replyTo = (page: Page, id: number) =>
  page.locator(`#p${id}`).getByRole('button', { name: 'Reply', exact: true }).first()
const commentButton = (page: Page) => page.getByRole('button', { name: 'Comment', exact: true }).first()

test('leaves the page usable while it is open', async () => {
  const page = await site.visit(path)
  await page.locator('html[data-reading]').waitFor({ state: 'attached' })
  await replyTo(page, ids.first).click()
  await expect(content(page)).toBeFocused()
  expect(await page.evaluate(() => document.querySelector('dialog:modal'))).toBeNull()
  await content(page).fill('Half a thought')

  await page.mouse.move(300, 400)
  await page.mouse.wheel(0, 600)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Watching' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.locator('article:focus')).toHaveCount(1)
  // Tab leaves the form, and its button brings the focus back.
  await composer(page).getByRole('button', { name: 'Post Reply' }).focus()
  await page.keyboard.press('Tab')
  await expect(composer(page).locator(':focus')).toHaveCount(0)
  await commentButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(content(page)).toBeFocused()
  await expect(content(page)).toHaveValue('Half a thought')
})

test('Escape closes it, keeps the draft and returns the focus', async () => {
  const page = await site.visit(path)
  await replyTo(page, ids.first).click()
  await content(page).fill('Kept for later')
  await page.keyboard.press('Escape')
  await expect(composer(page)).toHaveCount(0)
  await expect(replyTo(page, ids.first)).toBeFocused()
  await commentButton(page).click()
  await expect(content(page)).toHaveValue('Kept for later')
  await expect(composer(page)).toHaveAccessibleName('Add Comment')
  // The text is still the thread's draft after a reload.
  await page.reload()
  await replyTo(page, ids.second).click()
  await expect(content(page)).toHaveValue('Kept for later')
})

test('keeps the text of each tab, and gives the newest to the next tab', async () => {
  const first = await site.visit(path)
  const second = await first.context().newPage()
  await second.goto(path)
  const write = async (tab: Page, text: string) => {
    await commentButton(tab).click()
    await content(tab).fill(text)
  }
  const expectDraft = async (tab: Page, text: string) => {
    await tab.goto(path)
    await commentButton(tab).click()
    await expect(content(tab)).toHaveValue(text)
  }
  await write(first, 'From the first tab')
  await first.reload()
  await write(second, 'From the second tab')
  await second.reload()
  await expectDraft(first, 'From the first tab')
  await content(first).fill('')
  await expectDraft(await first.context().newPage(), 'From the second tab')
  await expectDraft(second, 'From the second tab')
})

test.runIf(isDeep)('stays open when its reader follows a link to a post, and Back closes it', async () => {
  const page = await site.visit(path)
  await replyTo(page, ids.first).click()
  await content(page).fill('While reading on')
  const layer = () => page.evaluate(() => history.state?.layer)
  await expect.poll(layer).toBe(1)
  await page
    .locator(`#p${ids.second}`)
    .getByRole('link', { name: `No. ${ids.second}`, exact: true })
    .click()
  const { hash } = new URL(`#p${ids.second}`, page.url())
  await expect.poll(() => new URL(page.url()).hash).toBe(hash)
  await expect.poll(layer).toBe(1)
  await expect(content(page)).toHaveValue('While reading on')
  await page.goBack()
  await expect(composer(page)).toHaveCount(0)
  expect(new URL(page.url()).hash).toBe(hash)
})

test.runIf(isDeep)('forgets each quote that nobody wrote anything to', async () => {
  const page = await site.visit(path)
  for (const id of [ids.nested, ids.other, ids.nested]) {
    await replyTo(page, id).click()
    await expect(content(page)).toHaveValue(`>>${id}\n`)
    await page.keyboard.press('Escape')
    await expect(composer(page)).toHaveCount(0)
  }
  // Also if Escape comes in the very moment in which the text gets the focus.
  await page.evaluate(() =>
    addEventListener('focusin', function closeForm({ target }) {
      if (!(target instanceof HTMLTextAreaElement)) return
      removeEventListener('focusin', closeForm)
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    }),
  )
  await replyTo(page, ids.other).press('Enter')
  await expect(composer(page)).toHaveCount(0)
  await commentButton(page).click()
  await expect(content(page)).toHaveValue('')
})

test.runIf(isDeep)('does not bring back a quote that its author deleted', async () => {
  const page = await site.visit(path)
  await replyTo(page, ids.nested).click()
  await expect(content(page)).toHaveValue(`>>${ids.nested}\n`)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await composer(page).getByLabel('Username', { exact: true }).fill('me')
  await expect(content(page)).toHaveValue('')
})

test.runIf(isDeep)('adds a quote to a kept text, even if a longer number begins like it', async () => {
  const page = await site.visit(path)
  await commentButton(page).click()
  await content(page).fill(`>>${ids.nested}0`)
  await page.keyboard.press('Escape')
  await replyTo(page, ids.nested).click()
  await expect(content(page)).toHaveValue(`>>${ids.nested}0\n>>${ids.nested}\n`)
  await page.keyboard.press('Escape')
  await replyTo(page, ids.nested).click()
  await expect(content(page)).toHaveValue(`>>${ids.nested}0\n>>${ids.nested}\n`)
})

test.runIf(isDeep)('sends with Ctrl+Enter, but not while an input method composes a word', async () => {
  const page = await site.visit(path)
  await commentButton(page).click()
  await content(page).fill('に')
  await content(page).evaluate((input) => {
    const enter = { key: 'Enter', ctrlKey: true, isComposing: true, bubbles: true }
    input.dispatchEvent(new KeyboardEvent('keydown', enter))
  })
  await expect(composer(page).getByRole('alert')).toHaveCount(0)
  await content(page).press('Control+Enter')
  await expect(composer(page).getByRole('alert')).toContainText('Username is required')
})

test.runIf(isDeep)('takes no further text while it is sent, because that would be forgotten', async () => {
  const page = await site.visit(path)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/comments', async (route) => {
    await held
    await route.continue()
  })
  await commentButton(page).click()
  await content(page).fill('Sent slowly')
  await composer(page).getByLabel('Username', { exact: true }).fill('me')
  await solveCaptcha(page)
  await composer(page).getByRole('button', { name: 'Post Comment' }).click()
  await expect(content(page)).not.toBeEditable()
  await replyTo(page, ids.nested).click()
  await expect(content(page)).toBeFocused()
  await expect(content(page)).toHaveValue('Sent slowly')
  release()
  await expect(composer(page)).toHaveCount(0)
  await expect(page.locator('article').filter({ hasText: 'Sent slowly' }).last()).toBeVisible()
})

test.runIf(isDeep)('returns the focus to the button that opened it when the thread is posted', async () => {
  const page = await site.visit(path.replace(/\/thread\/.*/, ''))
  const opener = page.getByRole('button', { name: 'Create Thread' }).first()
  await opener.click()
  await composer(page).getByLabel('Title', { exact: true }).fill('Sent by its button')
  await content(page).fill('Its button loses the focus meanwhile')
  await composer(page).getByLabel('Username', { exact: true }).fill('me')
  await solveCaptcha(page)
  await composer(page).getByRole('button', { name: 'Create Thread' }).press('Enter')
  await expect(composer(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('inserts further quotes at the caret, can undo that, and answers the first post or the thread', async () => {
  const page = await site.visit(path)
  await replyTo(page, ids.first).click()
  await expect(composer(page)).toContainText(`No. ${ids.first} by mira`)
  await content(page).fill('above\nbelow')
  await content(page).evaluate((input: HTMLTextAreaElement) => input.setSelectionRange(5, 5))
  await replyTo(page, ids.second).click()
  await expect(content(page)).toHaveValue(`above\n>>${ids.second}\n\nbelow`)
  await expect(content(page)).toBeFocused()
  await page.keyboard.type('between')
  await expect(content(page)).toHaveValue(`above\n>>${ids.second}\nbetween\nbelow`)
  await replyTo(page, ids.nested).click()
  await expect(content(page)).toHaveValue(`above\n>>${ids.second}\nbetween\n>>${ids.nested}\n\nbelow`)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(content(page)).toHaveValue(`above\n>>${ids.second}\nbetween\nbelow`)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(content(page)).not.toHaveValue(/between/)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(content(page)).toHaveValue(`above\n>>${ids.second}\nbetween\nbelow`)
  await expect(composer(page)).toHaveAccessibleName('Reply to Comment')
  await expect(composer(page)).toContainText(`No. ${ids.first} by mira`)

  await composer(page).getByRole('button', { name: 'Answer the thread' }).click()
  await expect(composer(page)).toHaveAccessibleName('Add Comment')
  await expect(content(page)).toBeFocused()
  await composer(page).getByLabel('Username', { exact: true }).fill('me')
  await solveCaptcha(page)
  await composer(page).getByRole('button', { name: 'Post Comment' }).click()
  await expect(composer(page)).toHaveCount(0)
  const own = page.locator('article').filter({ hasText: 'between' }).last()
  await expect(own).toBeFocused()
  await expect(own).toHaveAccessibleName(/^Comment/)
})

describe.each(
  someOf([
    ['phone', PHONE],
    ['wide screen', DESKTOP],
    ['small laptop', { width: 1150, height: 720 }],
    ['tablet', { width: 820, height: 1180 }],
  ] as const),
)('on a %s', (_name, viewport) => {
  const isSheet = viewport.width <= 1140

  test.runIf(isDeep)('covers neither the player nor the answered post', async () => {
    const page = await site.visit(path, { viewport })
    const bar = page.getByRole('region', { name: 'Radio player' })
    for (const id of [ids.first, ids.second]) {
      await replyTo(page, id).click()
      await expect(content(page)).toBeFocused()
      const form = await composer(page).boundingBox()
      const player = await bar.boundingBox()
      if (!form || !player) throw new Error('The form or the player is not visible')
      expect(form.y + form.height).toBeLessThanOrEqual(player.y + 1)
      expect(form.y).toBeGreaterThan(60)
      const text = page.locator(`#p${id}`).getByText(/^(First|Second) comment$/)
      await expect
        .poll(async () => {
          const { x = 0, y = 0, width = 0, height = 0 } = (await text.boundingBox()) ?? {}
          return y > 60 && (x + width <= form.x || y + height <= form.y)
        })
        .toBe(true)
      // Beside the posts, it covers none of them, and none of their buttons.
      const { x = 0, width = 0 } = (await page.locator(`#p${id}`).boundingBox()) ?? {}
      expect(x + width <= form.x).toBe(!isSheet)
      expect(await bar.evaluate((element) => element.closest('[inert]'))).toBeNull()
      await composer(page).getByRole('button', { name: 'Close' }).click()
    }
  })

  test.runIf(isDeep)('is accessible, and moves the focus to the first invalid field', async () => {
    const page = await site.visit(path, { viewport })
    await commentButton(page).click()
    const submit = composer(page).getByRole('button', { name: 'Post Comment' })
    await submit.click()
    await expect(content(page)).toBeFocused()
    await content(page).fill('Something')
    await submit.click()
    await expect(composer(page).getByLabel('Username', { exact: true })).toBeFocused()
    await composer(page).getByLabel('Username', { exact: true }).fill('me')
    await submit.click()
    await expect(composer(page).getByLabel('Captcha')).toBeFocused()
    await expectAccessible(page)
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await composer(page).locator('input[type=file]').setInputFiles(notes)
    await expect(composer(page).getByRole('alert')).toContainText('Please select a valid image file')
    await solveCaptcha(page)
    await submit.click()
    await expect(composer(page).locator('input[type=file]')).toBeFocused()
    await composer(page).getByRole('button', { name: 'Remove file' }).click()
    // The server refuses a link in the folded part.
    const more = composer(page).locator('details').filter({ hasText: 'Links and hints' })
    if (isSheet) await more.locator('summary').first().click()
    await composer(page).getByLabel('Links', { exact: true }).fill('ftp://example.org')
    if (isSheet) await more.locator('summary').first().click()
    await submit.click()
    await expect(composer(page).getByLabel('Links', { exact: true })).toBeFocused()
    // Only the fields have scrolled.
    await expect(composer(page).getByRole('heading', { name: 'Add Comment' })).toBeInViewport({ ratio: 1 })
    await expect(composer(page).getByRole('alert')).toBeInViewport({ ratio: 1 })
    await expect(composer(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  })
})

test.runIf(isDeep)('on a phone, does not cover the button that quotes a selection', async () => {
  const page = await site.visit(path, { viewport: PHONE })
  await replyTo(page, ids.second).click()
  await expect(content(page)).toBeFocused()
  const text = page.locator(`#p${ids.second} .text p`).first()
  await text.evaluate((element) => getSelection()?.selectAllChildren(element))
  const button = page.getByRole('button', { name: `Quote from No. ${ids.second}` })
  const { y = 0, height = 0 } = (await button.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual((await composer(page).boundingBox())?.y ?? 0)
  await button.click()
  await expect(content(page)).toHaveValue(`>>${ids.second}\n>Second comment\n`)
})

test.runIf(isDeep)('on a phone, shows the text and the captcha beside the button, and folds the rest', async () => {
  const page = await site.visit(path, { viewport: PHONE })
  await commentButton(page).click()
  const field = await content(page).boundingBox()
  const name = await composer(page).getByLabel('Username', { exact: true }).boundingBox()
  expect(field?.y).toBeLessThan(name?.y ?? 0)
  await expect(composer(page).getByLabel('Links', { exact: true })).toBeHidden()
  await expect(composer(page).getByText('for greentext')).toBeHidden()
  // The form grows when its question arrives.
  await expect(composer(page).getByText(/^What is/)).toBeVisible()
  const submit = await composer(page).getByRole('button', { name: 'Post Comment' }).boundingBox()
  const answer = await composer(page).getByLabel('Captcha').boundingBox()
  expect(Math.abs((submit?.y ?? 0) - (answer?.y ?? 1000))).toBeLessThan(8)
})

test('keeps the text when the network is lost while sending, and says so in a low window', async () => {
  const page = await site.visit(path, { viewport: { width: 844, height: 390 } })
  await commentButton(page).click()
  await content(page).fill('Written in a tunnel')
  await composer(page).getByLabel('Username', { exact: true }).fill('me')
  await solveCaptcha(page)
  await page.context().setOffline(true)
  await composer(page).getByRole('button', { name: 'Post Comment' }).click()
  await expect(composer(page).getByRole('alert')).toHaveText(
    'Failed to create comment. You seem to be offline. Your text is kept.',
  )
  await expect(composer(page).getByRole('alert')).toBeInViewport({ ratio: 1 })
  await expect(content(page)).toHaveValue('Written in a tunnel')
  await page.context().setOffline(false)
  await composer(page).getByRole('button', { name: 'Post Comment' }).click()
  await expect(page.locator('article').filter({ hasText: 'Written in a tunnel' }).last()).toBeVisible()
})
