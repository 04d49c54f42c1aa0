import { describe, expect as expectValue, test } from 'vitest'
import { expect, PHONE } from '#tests/helpers/browser.ts'
import {
  appeal,
  button,
  client,
  comment,
  contents,
  createPaste,
  EMPTY,
  item,
  newAddress,
  openQueue,
  post,
  press,
  report,
  sendPaste,
  startQueueSite,
  status,
  thread,
  threads,
} from '#tests/helpers/moderationQueue.ts'
import { key, player } from '#tests/helpers/player.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'

startQueueSite()

test('is worked through by keyboard alone, with one key per action', async () => {
  for (const [words, reason] of [
    ['erase me', 'illegal'],
    ['dismiss me', 'spam'],
    ['delete me', 'spam'],
  ] as const) {
    await report(`${thread.path}#p${await comment(words)}`, reason)
  }
  await comment('doubtful, but good')
  await comment('doubtful and bad')
  await appeal('lift it')
  await appeal('keep it')
  const page = await openQueue()
  await expect(page.getByRole('radio', { name: 'All 7' })).toBeChecked()
  const steps = [
    ['erase me', 't', 'Take down', 'Taken down everywhere'],
    ['dismiss me', 'x', 'Dismiss', 'Dismissed'],
    ['delete me', 'd', 'Delete', 'Deleted'],
    ['doubtful, but good', 'a', 'Publish', 'published'],
    ['doubtful and bad', 'r', 'Refuse', 'refused'],
    ['lift it', 'l', 'Lift the ban', 'Ban lifted'],
    ['keep it', 'k', 'Keep the ban', 'Ban kept'],
  ] as const
  for (const [words, key, name, done] of steps) {
    await expect(item(page)).toContainText(words)
    if (words !== 'erase me') await expect(page.getByRole('group', { name: 'Current item' })).toBeFocused()
    await press(page, key, name)
    if (key === 't') await press(page, 't', 'Take down for good')
    await expect(page.getByRole('status').filter({ hasText: done })).toBeVisible()
  }
  await expect(page.getByText(EMPTY)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'All 0' })).toBeChecked()
  const left = await contents()
  expectValue(left).toEqual(expectValue.arrayContaining(['dismiss me', 'doubtful, but good']))
  for (const gone of ['erase me', 'delete me', 'doubtful and bad']) expectValue(left).not.toContain(gone)
})

test('puts items off, filters by kind, and shows new items without a reload', async () => {
  await report(`${thread.path}#p${await comment('first report')}`)
  await comment('doubtful waits')
  const page = await openQueue()
  await expect(item(page)).toContainText('first report')
  await page.keyboard.press('n')
  await expect(item(page)).toContainText('doubtful waits')
  await button(page, 'Later').click()
  await expect(page.getByText('You put off the rest for later.')).toBeVisible()
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(item(page)).toContainText('first report')

  await page.getByRole('radio', { name: 'Held 1' }).check()
  await expect(item(page)).toContainText('doubtful waits')
  await page.getByRole('radio', { name: 'Appeals 0' }).check()
  await expect(page.getByText(EMPTY)).toBeVisible()
  await appeal('I just came')
  await expect(item(page)).toContainText('I just came')
  await page.getByRole('radio', { name: 'All 3' }).check()
  const next = page.getByRole('complementary', { name: 'Next' })
  await next.getByRole('button', { name: /I just came/ }).click()
  await expect(item(page)).toContainText('Ban of')
})

test('names the reasons once, and which of them a text belongs to', async () => {
  const target = `${thread.path}#p${await comment('reported thrice')}`
  for (const text of ['', 'Look there.']) await report(target, 'spam', text)
  const page = await openQueue()
  await expect(item(page).locator('header')).toContainText('Spam or advertising × 2')
  await expect(item(page).getByText('Spam or advertising')).toHaveCount(1)
  await expect(item(page).getByRole('list', { name: 'Reported as' }).getByRole('listitem')).toHaveText([
    /^Look there\./,
  ])
  await report(target, 'harassment', 'He means me.')
  const explained = item(page).getByRole('listitem').filter({ hasText: 'He means me.' })
  await expect(explained).toContainText('Harassment or threats')
  await button(page, 'Dismiss').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

test('letters do nothing while shortcuts are off', async () => {
  await comment('doubtful letter')
  const page = await openQueue()
  await expect(button(page, 'Refuse')).toBeEnabled()
  await key(page, 'Maximise').click()
  await player(page).getByRole('switch', { name: 'Shortcuts' }).click()
  await key(page, 'Restore').click()
  await expect(button(page, 'Refuse')).not.toHaveAttribute('aria-keyshortcuts')
  await page.keyboard.press('r')
  await page.keyboard.press('n')
  await expect(item(page)).toContainText('doubtful letter')
  await button(page, 'Refuse').click()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

test('a double tap decides only one item', async () => {
  for (const words of ['doubtful one', 'doubtful two']) await comment(words)
  const page = await openQueue({ viewport: PHONE, hasTouch: true })
  await expect(item(page)).toContainText('doubtful one')
  // Taps the next item as soon as it is there.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('article')?.textContent?.includes('doubtful two')) return
      observer.disconnect()
      document.querySelector<HTMLElement>('[aria-keyshortcuts="r"]')?.click()
      document.body.setAttribute('data-tapped', '')
    })
    observer.observe(document.body, { subtree: true, childList: true })
  })
  await button(page, 'Refuse').tap()
  await expect(page.locator('body[data-tapped]')).toBeVisible()
  await expect(button(page, 'Refuse')).toBeEnabled()
  await expect(item(page)).toContainText('doubtful two')
  await button(page, 'Refuse').tap()
  await expect(page.getByText(EMPTY)).toBeVisible()
})

describe('delete all and ban', () => {
  test('closes the reports and held posts of the poster, by keyboard', async () => {
    const from = newAddress()
    for (const words of ['spam one', 'spam two']) await report(`${thread.path}#p${await comment(words, {}, from)}`)
    await comment('doubtful spam', {}, from)
    await comment('doubtful stranger')
    const page = await openQueue()
    await expect(item(page)).toContainText('spam one')
    await press(page, 'b', 'Delete and ban…')
    const dialog = page.getByRole('dialog', { name: 'Everything by this poster' })
    await expect(dialog.getByLabel('Reason')).toHaveValue('Spam or advertising')
    await expect(dialog.getByRole('radio', { name: /On \/watched\/ 3/ })).toBeChecked()
    // Keys do not act while the dialog is open.
    await page.keyboard.press('x')
    await dialog.getByLabel('Reason').press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(item(page)).toContainText('doubtful stranger')
    await expect(page.getByRole('group', { name: 'Current item' })).toBeFocused()
    await expect(page.getByRole('radio', { name: 'All 1' })).toBeChecked()
    const refused = await post(threads, { title: 'Again', content: 'x' }, from)
    expectValue(refused.ban.reason).toBe('Spam or advertising')
  })

  test('leaves a report of illegal content open, to be taken down', async () => {
    await report(`${thread.path}#p${await comment('illegal words')}`, 'illegal')
    const page = await openQueue({ viewport: PHONE, hasTouch: true })
    await button(page, 'Delete and ban…').tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all and ban' }).tap()
    await expect(item(page)).toContainText('Removed.')
    await expect(item(page)).toContainText('illegal words')
    await expect(button(page, 'Delete')).toHaveCount(0)
    await button(page, 'Take down').tap()
    await button(page, 'Take down for good').tap()
    await expect(page.getByText(EMPTY)).toBeVisible()
  })
})

test('bans the poster of a paste and of an image from the site, and then deletes them', async () => {
  const from = newAddress()
  const paste = await createPaste('Buy now!', from)
  const image = new File([new Uint8Array(await stillImage().png().toBuffer())], 'x.png', { type: 'image/png' })
  const shared = await client.post('/api/image-share', { image, expiryHours: '1' }, newAddress())
  const share = new URL(shared.url).pathname
  const page = await openQueue()
  for (const path of [paste, share]) {
    await report(path)
    await press(page, 'b', 'Ban…')
    const dialog = page.getByRole('dialog', { name: 'Ban the poster' })
    await dialog.getByRole('textbox').fill('')
    await dialog.getByRole('button', { name: 'Ban' }).click()
    await expect(dialog.getByText('A reason is required')).toBeVisible()
    await dialog.getByRole('radio', { name: '30 days' }).check()
    await dialog.getByRole('textbox').fill('Advertising')
    await dialog.getByRole('textbox').press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'Banned the poster' })).toBeVisible()
    await expect(dialog).toBeHidden()
    await press(page, 'd', 'Delete')
    await expect(page.getByText(EMPTY)).toBeVisible()
    expectValue(await status(path)).toBe(404)
  }
  const { ban } = await sendPaste('Buy again!', from)
  expectValue(ban.reason).toBe('Advertising')
  expectValue(Date.parse(ban.endsAt) - Date.now()).toBeGreaterThan(29 * 86_400_000)
})

test('refuses all posts that are held for the same reason, after a question', async () => {
  for (let n = 0; n < 3; n++) await comment(`doubtful ${n}`)
  const page = await openQueue({ viewport: PHONE, hasTouch: true })
  await button(page, 'Refuse all 3 alike').tap()
  await expect(page.getByText('Refuses all 3 posts held for')).toBeVisible()
  await button(page, 'Cancel').tap()
  await button(page, 'Refuse all 3 alike').tap()
  await button(page, 'Refuse all 3').tap()
  await expect(page.getByText(EMPTY)).toBeVisible()
})
