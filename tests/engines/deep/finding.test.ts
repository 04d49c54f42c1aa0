import { test } from 'vitest'
import { describeEngines } from '#tests/helpers/engines/stage.ts'
import { createBoardWithThread } from '#tests/helpers/siteClient.ts'

describeEngines((stage) => {
  test('a visitor finds a post by its words', async () => {
    const { page, site, engine } = stage
    const { client, threads, threadId, path } = await createBoardWithThread(site.origin, `Found ${engine}`)
    const content = 'My floppy drive plays music'
    const { comment } = await client.post(`${threads}/${threadId}/comments`, { content })
    await page.open(path.replace(/\/thread.*/, ''))
    await page.fill(/^Search/, '"floppy drive"\uE007')
    await page.isAt(/^\/search\?/)
    await page.see(content)
    await page.press('Under load', 'main')
    await page.isAt(`${path}#p${comment.id}`)
    await page.back()
    await page.isAt(/^\/search\?/)
  })

  test('a visitor watches a thread, and reads what is new', async () => {
    const { page, site, engine } = stage
    const { client, threads, threadId, path } = await createBoardWithThread(site.origin, `Watched ${engine}`)
    const postElsewhere = async (content: string) =>
      (await client.post(`${threads}/${threadId}/comments`, { content })).comment.id
    await page.open(path)
    await page.press('Watch')
    await page.until('the pressed button', () => page.has('Watching'))
    await page.press('About', 'header')
    await page.isAt('/about')
    await page.open('/about')
    const first = await postElsewhere('new here')
    await postElsewhere('and another one')
    await page.press(/1 thread with new posts/, 'header')
    await page.see('2 new')
    await page.press(/Under load/, '[popover]')
    await page.isAt(`${path}#p${first}`)
    await page.until('nothing new', () => page.has('Watched threads', 'header'))
  })
})
