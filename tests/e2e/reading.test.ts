import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { READER_FILTERS_KEY } from '#src/contract/readerFilters.ts'
import { type BrowserSite, expect, PHONE, startBrowserSite } from '#tests/helpers/browser.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'
import { visitStrictly } from '#tests/helpers/strictBrowser.ts'

let site: BrowserSite
let client: SiteClient
let path: string
let farPath: string
/** numbers of the posts by what they are */
const ids: Record<'opening' | 'first' | 'answer' | 'quoting' | 'far' | 'gone', number> = {
  opening: 0,
  first: 0,
  answer: 0,
  quoting: 0,
  far: 0,
  gone: 0,
}

beforeAll(async () => {
  site = await startBrowserSite()
  const made = await createBoardWithThread(site.server.origin, 'Reading')
  const { threads, threadId } = made
  client = made.client
  const far = await client.post(threads, { title: 'Far away', content: 'Text of the far thread' })
  const comments = `${threads}/${threadId}/comments`
  const image = async (name: string, width: number, height: number) =>
    new File([await stillImage(width, height).png().toBuffer()], name, { type: 'image/png' })
  const comment = async (content: string, picture?: File) =>
    (await client.post(comments, { content, ...(picture && { image: picture }) })).comment.id as number
  ids.opening = threadId
  ids.far = far.thread.id
  ids.gone = (await client.post(`${threads}/${ids.far}/comments`, { content: 'soon gone' })).comment.id
  ids.first = await comment('The first words', await image('a.png', 1000, 800))
  ids.answer = await comment(`>>${ids.first} answered`, await image('b.png', 600, 900))
  ids.quoting = await comment(
    `>>${ids.answer} and >>${ids.far} and >>${ids.gone}\n${'more text '.repeat(200)}`,
    await image('c.png', 300, 300),
  )
  path = made.path
  farPath = `/dtpchan/board/reading/thread/${ids.far}`
})
afterAll(() => site.close())

type Post = keyof typeof ids
const post = (page: Page, name: Post) => page.locator(`article#p${ids[name]}`)
const quote = (page: Page, from: Post, to: Post) =>
  post(page, from)
    .getByRole('link', { name: `>>${ids[to]}`, exact: true })
    .first()
const card = (page: Page, name: Post) => page.getByRole('group', { name: `Preview of No. ${ids[name]}` })
const cards = (page: Page) => page.getByRole('group', { name: /^Preview of/ })
/** Waits for the code that listens, which loads when the page is idle. */
const isReady = (page: Page) => page.locator('html[data-reading]').waitFor({ state: 'attached' })

async function open(viewPath = path, options = {}): Promise<Page> {
  const page = await site.visit(viewPath, options)
  await isReady(page)
  return page
}

describe('a preview of a quoted post', () => {
  test('opens under the pointer, nests, follows the pointer and closes on Escape', async () => {
    const page = await site.visit('/robots.txt')
    // The page does not hear of the removal.
    await page.route(/\/trpc\/site\.events/, () => {})
    await page.goto(path)
    await isReady(page)
    await quote(page, 'quoting', 'answer').hover()
    await expect(card(page, 'answer')).toContainText('answered')
    await expect(quote(page, 'quoting', 'answer')).toHaveAttribute('aria-describedby')
    await card(page, 'answer')
      .getByRole('link', { name: `>>${ids.first}` })
      .hover()
    await expect(card(page, 'first')).toContainText('The first words')
    await card(page, 'first').getByText('The first words').hover()
    // The other card closes soon, because the pointer is over the page then.
    await page.evaluate(() => {
      const count = () => {
        document.documentElement.dataset.cardsAtKeyUp = String(document.querySelectorAll('[data-card]').length)
      }
      addEventListener('keyup', count, { once: true })
    })
    await page.keyboard.press('Escape')
    await expect(page.locator('html')).toHaveAttribute('data-cards-at-key-up', '1')
    await page.mouse.move(2, 2)
    await expect(cards(page)).toHaveCount(0)

    await quote(page, 'quoting', 'far').hover()
    await expect(card(page, 'far')).toContainText('Text of the far thread')
    await expect(card(page, 'far').getByRole('link', { name: 'Far away' })).toHaveAttribute('href', farPath)
    const gone = `/api/dtpchan/boards/reading/threads/${ids.far}/comments/${ids.gone}`
    expectValue((await client.call('DELETE', gone)).success).toBe(true)
    await quote(page, 'quoting', 'gone').hover()
    await expect(card(page, 'gone')).toHaveText(/^This post is gone/)
  })

  test.runIf(isDeep)('opens for the keyboard, keeps the focus, and contains the next stop', async () => {
    const page = await open()
    await quote(page, 'quoting', 'answer').focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await expect(card(page, 'answer')).toBeVisible()
    await expect(quote(page, 'quoting', 'answer')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(card(page, 'answer').locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(cards(page)).toHaveCount(0)
    await expect(quote(page, 'quoting', 'answer')).toBeFocused()
  })

  test.runIf(isDeep)(
    'opens on a long press, which does not follow the link; a tap outside only closes it',
    async () => {
      const page = await open(path, { viewport: PHONE, hasTouch: true, isMobile: true })
      const link = quote(page, 'quoting', 'far')
      await link.scrollIntoViewIfNeeded()
      const box = await link.boundingBox()
      if (!box) throw new Error('The link is not visible')
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      const touch = await page.context().newCDPSession(page)
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await expect(card(page, 'far')).toContainText('Text of the far thread')
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await expect(card(page, 'far')).toBeVisible()
      await page.touchscreen.tap(20, 90)
      await expect(cards(page)).toHaveCount(0)
      expectValue(new URL(page.url()).pathname).toBe(path)
    },
  )

  test.runIf(isDeep)(
    'shows posts in place on a click if the reader wants that, and closes them on the next click',
    async () => {
      const page = await open()
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByRole('dialog').getByRole('checkbox', { name: 'A click opens quotes in place' }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      const link = quote(page, 'quoting', 'answer')
      await link.click()
      await expect(cards(page)).toHaveCount(0)
      const inPlace = post(page, 'quoting').getByRole('group', { name: `No. ${ids.answer}` })
      await expect(inPlace).toContainText('answered')
      await inPlace.getByRole('link', { name: `>>${ids.first}` }).click()
      await expect(inPlace).toContainText('The first words')
      await link.click()
      await expect(inPlace).toHaveCount(0)
      await page.reload()
      await isReady(page)
      await quote(page, 'quoting', 'far').click()
      await expect(post(page, 'quoting')).toContainText('Text of the far thread')
      expectValue(page.url().endsWith(path)).toBe(true)
    },
  )
})

describe('a post that changes on the open page', () => {
  const comments = () => `/api/dtpchan/boards/reading/threads/${ids.far}/comments`
  const comment = async (content: string) => (await client.post(comments(), { content })).comment.id as number

  test.runIf(isDeep)('keeps what is shown in place, and the link to a post that is gone becomes text', async () => {
    const gone = await comment('quoted and gone')
    const own = await comment(`>>${gone} its own text`)
    const first = await comment(`>>${own} first answer`)
    const page = await site.visit(farPath)
    await page.evaluate(() => localStorage.setItem('dtpchan_quotes_in_place', 'true'))
    await page.reload()
    await isReady(page)
    const shown = page.locator(`article#p${own}`)
    const backlink = shown.getByRole('link', { name: `>>${first}`, exact: true })
    const inPlace = shown.getByRole('group', { name: `No. ${first}` })
    await backlink.click()
    await expect(inPlace).toContainText('first answer')

    const second = await comment(`>>${own} second answer`)
    await expect(shown.getByRole('link', { name: `>>${second}`, exact: true })).toBeVisible()
    await expect(inPlace).toContainText('first answer')
    await client.call('DELETE', `${comments()}/${gone}`)
    await expect(shown.getByRole('link', { name: `>>${gone}`, exact: true })).toHaveCount(0)
    await expect(shown).toContainText(`>>${gone} its own text`)
    await backlink.click()
    await expect(inPlace).toHaveCount(0)
  })

  test.runIf(isDeep)('keeps the links of a post that is shown in place below the opening post', async () => {
    const first = await comment(`>>${ids.far} answers the opening post`)
    const page = await site.visit(farPath)
    await page.evaluate(() => localStorage.setItem('dtpchan_quotes_in_place', 'true'))
    await page.reload()
    await isReady(page)
    const opening = page.locator(`article#p${ids.far}`)
    await opening.getByRole('link', { name: `>>${first}`, exact: true }).click()
    const quoteInPlace = opening
      .getByRole('group', { name: `No. ${first}` })
      .getByRole('link', { name: `>>${ids.far}`, exact: true })
    await expect(quoteInPlace).toBeVisible()

    const second = await comment(`>>${ids.far} answers it, too`)
    await expect(opening.getByRole('link', { name: `>>${second}`, exact: true })).toBeVisible()
    await expect(quoteInPlace).toBeVisible()
  })

  test.runIf(isDeep)('takes no reply by key once its thread is locked', async () => {
    const id = await comment('the last one')
    const page = await open(farPath)
    const reply = page.locator(`article#p${id} .reply-link`)
    await page.locator(`article#p${id}`).evaluate((article) => {
      article.setAttribute('tabindex', '-1')
      article.focus()
    })
    await expect(reply).toBeVisible()
    await client.call('POST', '/api/moderation/act', { boardId: 'reading', postId: ids.far, action: 'lock' })
    await expect(reply).toBeHidden()
    await page.keyboard.press('r')
    await page.keyboard.press('f')
    await expect(page.getByRole('dialog', { name: 'Hidden posts and filters' })).toBeVisible()
    expectValue(new URL(page.url()).pathname).toBe(farPath)
    await client.call('POST', '/api/moderation/act', { boardId: 'reading', postId: ids.far, action: 'unlock' })
  })
})

describe('an image', () => {
  test('is enlarged in place by a click, and is small again after the next one', async () => {
    const page = await open()
    const image = post(page, 'first').getByRole('img')
    const before = await image.boundingBox()
    await image.click()
    await expect.poll(async () => (await image.boundingBox())?.width ?? 0).toBeGreaterThan((before?.width ?? 0) * 1.5)
    await expect(image).toHaveJSProperty('naturalWidth', 1000)
    await post(page, 'first')
      .getByRole('link', { name: /Full size/ })
      .click()
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(before?.width)
    const opened = page.context().waitForEvent('page')
    await image.click({ modifiers: ['ControlOrMeta'] })
    await (await opened).close()
  })

  test('opens in the viewer, which walks the images with keys and gives the focus back', async () => {
    const page = await open()
    await post(page, 'first').getByRole('img').click()
    const opener = post(page, 'first').getByRole('button', { name: 'View all' })
    await opener.click()
    const viewer = page.getByRole('dialog', { name: 'Images of this thread' })
    await expect(viewer.getByText('1 / 3')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByRole('img', { name: `Attached to No. ${ids.answer}` })).toBeVisible()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByText('1 / 3')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    await expect(opener).toBeFocused()
    await opener.click()
    await viewer.getByRole('button', { name: 'Previous image' }).click()
    await page.goBack()
    await expect(viewer).toBeHidden()
    expectValue(new URL(page.url()).pathname).toBe(path)
    await opener.click()
    await viewer.getByRole('button', { name: 'Next image' }).click()
    await viewer.getByRole('link', { name: `No. ${ids.answer}` }).click()
    await expect(viewer).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`#p${ids.answer}$`))
  })

  test.runIf(isDeep)('follows a swipe in the viewer', async () => {
    const page = await open(path, { viewport: PHONE, hasTouch: true, isMobile: true })
    await page.keyboard.press('i')
    const viewer = page.getByRole('dialog', { name: 'Images of this thread' })
    await expect(viewer.getByText('1 / 3')).toBeVisible()
    const touch = await page.context().newCDPSession(page)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 300, y: 400 }] })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 200, y: 402 }] })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 100, y: 404 }] })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(viewer.getByText('2 / 3')).toBeVisible()
  })
})

describe('keys', () => {
  test('mark posts, reply, view images, list themselves and lead to the boards', async () => {
    const page = await open()
    await page.keyboard.press('j')
    await expect(post(page, 'opening')).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(post(page, 'answer')).toBeFocused()
    await page.keyboard.press('k')
    await expect(post(page, 'first')).toBeFocused()
    await page.keyboard.press('Control+j')
    await expect(post(page, 'first')).toBeFocused()
    await page.keyboard.press('r')
    const form = page.getByRole('dialog', { name: /Reply/ })
    await form.getByLabel('Content', { exact: true }).press('j')
    await expect(form.getByLabel('Content', { exact: true })).toHaveValue(/j$/)
    await page.keyboard.press('Escape')
    await expect(post(page, 'first')).toBeFocused()
    await page.keyboard.press('i')
    await expect(page.getByRole('dialog', { name: 'Images of this thread' })).toContainText('1 / 3')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(list).toContainText('Next post or thread')
    await list.getByRole('button', { name: 'Turn off' }).click()
    await expect(list).toContainText('Keyboard shortcuts are off.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect(post(page, 'answer')).not.toBeFocused()

    await page.evaluate(() => localStorage.removeItem('player'))
    await page.reload()
    await isReady(page)
    await page.keyboard.press('/')
    await expect(page).toHaveURL('/search?board=reading')
    await page.goBack()
    await isReady(page)
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/dtpchan/board/reading/catalog')
    await isReady(page)
    await page.keyboard.press('j')
    await expect(page.getByRole('main').locator('h2 a').first()).toBeFocused()
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await expect(page).toHaveURL(/\/dtpchan$/)
  })
})

test('the key for replies opens the form, and follows no link that the author wrote', async () => {
  const { thread } = await client.post('/api/dtpchan/boards/reading/threads', {
    title: 'A trap',
    content: 'https://trap.example/post?thread=1',
  })
  const page = await open(`/dtpchan/board/reading/thread/${thread.id}`)
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog', { name: 'Comment' })).toBeVisible()
})

test.runIf(isDeep)('the number of a thread in a list leads to its opening post, and focuses it', async () => {
  const page = await open('/dtpchan/board/reading')
  await page.getByRole('link', { name: `No. ${ids.opening}`, exact: true }).click()
  await expect(page).toHaveURL(`${path}#p${ids.opening}`)
  await expect(post(page, 'opening')).toBeFocused()
})

test('times carry their zone without script, and are local with it', async () => {
  const time = (page: Page) => post(page, 'first').locator('time').first()
  const plain = await visitStrictly(site, path)
  await expect(time(plain)).toHaveText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d UTC$/, { useInnerText: true })
  const page = await open()
  await expect(time(page)).toHaveText(/^today \d\d:\d\d$/)
})

test('links to a board and to a post of any board, and previews that post', async () => {
  const board = path.split('/')[3]
  const { comment } = await client.post(`/api/dtpchan/boards/${board}/threads/${ids.opening}/comments`, {
    content: `>>>/${board}/ and >>>/${board}/${ids.far}, not >>>/nowhere/`,
  })
  const page = await open()
  const text = page.locator(`article#p${comment.id}`)
  await expect(text.getByRole('link', { name: `>>>/${board}/`, exact: true })).toHaveAttribute(
    'href',
    `/dtpchan/board/${board}`,
  )
  const link = text.getByRole('link', { name: `>>>/${board}/${ids.far}` })
  await expect(link).toHaveAttribute('href', `${farPath}#p${ids.far}`)
  await expect(text.getByRole('link', { name: 'nowhere' })).toHaveCount(0)
  await link.hover()
  await expect(card(page, 'far')).toContainText('Text of the far thread')
  await expect(card(page, 'far').locator('time')).toHaveText(/^today \d\d:\d\d$/)
  await page.mouse.move(0, 0)
  await expect(card(page, 'far')).toHaveCount(0)
  // Imported posts have the numbers of their old site.
  await link.evaluate((element) => {
    element.textContent = '>>>/old/1'
  })
  await text.getByRole('link', { name: '>>>/old/1' }).hover()
  await expect(card(page, 'far')).toContainText('Text of the far thread')
})

describe('hidden posts', () => {
  test('stay hidden behind a stub, which opens them, until the reader undoes it', async () => {
    const page = await open()
    const text = post(page, 'first').getByText('The first words')
    const number = post(page, 'first').getByRole('link', { name: `No. ${ids.first}`, exact: true })
    const place = await number.boundingBox()
    await number.hover()
    const hide = page.getByRole('button', { name: `Hide No. ${ids.first}` })
    await expect(hide).toBeVisible()
    expectValue(await number.boundingBox()).toEqual(place)
    await hide.click()
    await expect(post(page, 'first')).toContainText(`Hidden post No. ${ids.first}`)
    await expect(text).toBeHidden()
    await expect(post(page, 'first')).toBeFocused()
    // The preview shows the stub, too, and its text only if the reader wants it.
    await quote(page, 'answer', 'first').hover()
    await expect(card(page, 'first')).toContainText(`Hidden post No. ${ids.first}`)
    await expect(card(page, 'first')).not.toContainText('The first words')
    await card(page, 'first').getByRole('button', { name: 'Show' }).click()
    await expect(card(page, 'first')).toContainText('The first words')
    await expect(card(page, 'first')).toBeFocused()
    await page.reload()
    await post(page, 'first').getByRole('button', { name: 'Show' }).click()
    await expect(text).toBeVisible()
    await page.reload()
    await post(page, 'first').getByRole('button', { name: 'Undo' }).click()
    await expect(text).toBeVisible()

    await page.goto('/dtpchan/board/reading')
    await isReady(page)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(page.getByText(/^Hidden post No/)).toHaveCount(1)
  })

  test.runIf(isDeep)('are hidden by a button that covers no number on a phone', async () => {
    const page = await site.visit(path, { viewport: PHONE, hasTouch: true })
    await isReady(page)
    const number = post(page, 'first').getByRole('link', { name: `No. ${ids.first}`, exact: true })
    await post(page, 'first').getByText('The first words').tap()
    const hide = await page.getByRole('button', { name: `Hide No. ${ids.first}` }).boundingBox()
    const place = await number.boundingBox()
    if (!hide || !place) throw new Error('Not shown')
    expectValue(hide.y + hide.height <= place.y + 1 || hide.x >= place.x + place.width).toBe(true)
  })

  test.runIf(isDeep)('are hidden in other open tabs, too', async () => {
    const page = await open()
    const other = await page.context().newPage()
    await other.goto(path)
    await isReady(other)
    await post(page, 'first').hover()
    await page.getByRole('button', { name: `Hide No. ${ids.first}` }).click()
    await expect(post(other, 'first')).toContainText(`Hidden post No. ${ids.first}`)
  })

  test.runIf(isDeep)('are found by filters when they arrive', async () => {
    const filters = { hidden: [], filters: [{ kind: 'words', value: 'unwanted*', boardId: null }] }
    const page = await open()
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      READER_FILTERS_KEY,
      JSON.stringify(filters),
    ] as const)
    await page.reload()
    await isReady(page)
    const { comment } = await client.post(`/api/dtpchan/boards/reading/threads/${ids.opening}/comments`, {
      content: 'An unwantedly long text',
    })
    await expect(page.locator(`article#p${comment.id}`)).toContainText('Filter: unwanted*')
  })

  test.runIf(isDeep)(
    'are found by filters, also when they arrive, and filters move to another browser as a file',
    async () => {
      const page = await open()
      await expect(page.getByRole('heading', { name: /^Comments/ })).toBeVisible()
      await page.keyboard.press('f')
      const dialog = page.getByRole('dialog', { name: 'Hidden posts and filters' })
      await dialog.getByLabel('Hide posts').fill('***')
      await dialog.getByRole('button', { name: 'Add filter' }).click()
      await expect(dialog.getByRole('alert')).toHaveText('A filter needs a letter or a digit')
      await dialog.getByLabel('Hide posts').fill('answer*')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('listitem')).toContainText('answer*')
      const downloading = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Export' }).click()
      const file = await (await downloading).path()
      await page.keyboard.press('Escape')
      await expect(post(page, 'answer')).toContainText('Filter: answer*')
      await expect(post(page, 'first')).toContainText('The first words')
      const threads = `/api/dtpchan/boards/reading/threads/${ids.opening}/comments`
      const { comment } = await client.post(threads, { content: 'Answering late' })
      await expect(page.locator(`article#p${comment.id}`)).toContainText(`Hidden post No. ${comment.id}`)
      // What the page shows around the text does not count.
      const { comment: code } = await client.post(threads, { content: '```\nx = 1\n```' })
      await expect(page.locator(`article#p${code.id}`).getByRole('button', { name: 'Copy code' })).toBeVisible()
      await page.keyboard.press('f')
      await dialog.getByLabel('Hide posts').fill('co*')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('listitem')).toHaveCount(2)
      await page.keyboard.press('Escape')
      await expect(page.locator(`article#p${code.id}`)).toContainText('x = 1')
      await expect(page.getByText('Filter: co*')).toHaveCount(0)

      const other = await open()
      await expect(post(other, 'answer')).toContainText('answered')
      await other.keyboard.press('f')
      await other.getByLabel('Import').setInputFiles(file)
      await expect(other.getByRole('listitem').filter({ hasText: 'answer*' })).toBeVisible()
      await other
        .getByLabel('Import')
        .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
      await expect(other.getByRole('alert')).toHaveText('This file does not contain filters of this site')
      await other.keyboard.press('Escape')
      await expect(post(other, 'answer')).toContainText('Filter: answer*')
    },
  )
})
