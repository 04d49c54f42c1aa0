import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Text } from '#tests/helpers/engines/page.ts'
import { describeEngines } from '#tests/helpers/engines/stage.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createAdminClient } from '#tests/helpers/siteClient.ts'

describeEngines((stage) => {
  const isDialogOpen = () => stage.page.evaluate(() => document.querySelector('dialog[open]') !== null)
  const waitForClose = () => stage.page.until('a closed dialog', async () => !(await isDialogOpen()))

  async function submit(fields: Record<string, string>, button: Text): Promise<void> {
    const { page } = stage
    for (const [label, text] of Object.entries(fields)) await page.fill(label, text)
    await page.solveCaptcha()
    await page.press(button, 'dialog')
    await waitForClose()
  }

  test('a visitor posts a thread with an image, comments, replies, and quotes', async () => {
    const { page, site, engine, location } = stage
    const client = await createAdminClient(site.origin)
    const board = await client.createBoard(`By ${engine}`)
    const file = join(location.dataDir, 'upload.png')
    await writeFile(file, await stillImage(600, 400).png().toBuffer())

    await page.open(board.path)
    await page.press('Create Thread')
    await page.choose(file)
    await submit({ Title: 'Which clip?', Content: 'An opening', Username: 'gl1tch' }, 'Create Thread')
    await page.press('Which clip?', 'main')
    await page.see('Comments (0)')
    const isDrawn = () =>
      page.evaluate(() => Number(document.querySelector<HTMLImageElement>('article img')?.naturalWidth))
    await page.until('a drawn image', async () => (await isDrawn()) > 0)

    await page.press('Comment')
    await submit({ Content: 'A first comment', Username: 'ferrite' }, 'Post Comment')
    await page.see('Comments (1)')
    await page.press('Reply')
    await submit({ Content: 'A reply to it', Username: 'kessel' }, 'Post Reply')
    await page.see('A reply to it')
    await page.reload()
    await page.see('Replies (1)')

    await page.selectParagraph('A first comment')
    await page.press(/^Quote from/)
    const quote = await page.until('the quote in the form', () =>
      page.evaluate(() => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value),
    )
    expect(quote).toMatch(/^>>\d+\n>A first comment\n/)
    await submit({ Content: 'I agree', Username: 'mira' }, /^Post (Comment|Reply)$/)
    await page.see('I agree')
    await page.hover(quote.split('\n')[0] ?? '', 'article')
    await page.until('the preview of the quoted post', () =>
      page.evaluate(() => document.querySelector('[popover][role=group]')?.textContent.includes('A first comment')),
    )
  })

  test('a click outside closes a dialog', async () => {
    const { page } = stage
    await page.open('/programs-we-love')
    await page.press('Login to Add Program')
    await page.until('an open dialog', isDialogOpen)
    await page.clickAt(20, 400)
    await waitForClose()
  })

  test('a click on the page keeps the form open; Back closes it and keeps the draft', async () => {
    const { page, site, engine } = stage
    const { path } = await (await createAdminClient(site.origin)).createBoard(`Drafts in ${engine}`)
    await page.open('/dtpchan')
    await page.press(`Drafts in ${engine}`, 'main')
    await page.isAt(path)
    await page.press('Create Thread')
    await page.until('an open form', isDialogOpen)
    await page.fill('Title', 'Kept')
    await page.clickAt(20, 400)
    expect(await isDialogOpen()).toBe(true)
    await page.back()
    await waitForClose()
    expect(await page.path()).toBe(path)
    await page.press('Create Thread')
    const draft = await page.evaluate(() => document.querySelector<HTMLInputElement>('dialog input')?.value)
    expect(draft).toBe('Kept')
    await page.back()
    await waitForClose()
    await page.back()
    await page.isAt('/dtpchan')
  })
})
