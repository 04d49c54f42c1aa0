import { expect, test } from 'vitest'
import { describeEngines } from '#tests/helpers/engines/stage.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createAdminClient } from '#tests/helpers/siteClient.ts'

describeEngines((stage) => {
  /** Presses a key of the page where the focus is. */
  const key = (name: string) =>
    stage.page.evaluate(
      (pressed) =>
        void document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }),
        ),
      name,
    )
  const countHidden = () => stage.page.evaluate(() => document.querySelectorAll('article[data-hidden]').length)

  test('a reader views images and previews, hides posts by key and by filter, and watches the thread', async () => {
    const { page, site, engine } = stage
    const client = await createAdminClient(site.origin)
    const board = await client.createBoard(`Read in ${engine}`)
    const image = new Blob([await stillImage(600, 400).png().toBuffer()], { type: 'image/png' })
    const { thread } = await client.post(board.threads, { title: 'A thread', content: 'An opening', image })
    const comment = async (fields: Record<string, string | Blob>) =>
      (await client.post(`${board.threads}/${thread.id}/comments`, fields)).comment.id
    const first = await comment({ content: 'First words' })
    const answer = await comment({ content: `>>${first} with a picture`, image })
    await comment({ content: 'spamming all day' })
    await page.open(`${board.path}/thread/${thread.id}`)
    await page.until('the reading tools', () => page.evaluate(() => document.documentElement.dataset.reading === ''))

    await page.evaluate(() => document.querySelector<HTMLElement>('main .frame')?.click())
    await page.press('View all')
    await page.see('1 / 2')
    await key('ArrowRight')
    await page.see('2 / 2')
    await page.press('Close')

    await page.hover(`>>${first}`, `#p${answer} .text`)
    await page.until('a preview inside the window', () =>
      page.evaluate(() => {
        const card = document.querySelector('[popover][role=group]')
        const { left = -1, right = 0, bottom = 0 } = card?.getBoundingClientRect() ?? {}
        const isInside = left >= 0 && right <= innerWidth && bottom <= innerHeight
        return isInside && card?.textContent.includes('First words')
      }),
    )

    await page.press('Filters')
    await page.fill('Hide posts', 'spam*')
    await page.press('Add filter')
    await page.see('spam*')
    await page.press('Close')
    await page.see('Hidden post')
    expect(await countHidden()).toBe(1)
    await page.evaluate(() => scrollTo(0, 0))
    for (const pressed of ['j', 'j', 'x']) await key(pressed)
    await page.until('a second hidden post', async () => (await countHidden()) === 2)

    await page.press('Watch')
    await page.press(/^Watched threads/)
    await page.see('Watch threads that I post in')
  })
})
