import { expect, test } from 'vitest'
import { describeEngines } from '#tests/helpers/engines/stage.ts'
import { createAdminClient } from '#tests/helpers/siteClient.ts'
import { ADMIN } from '#tests/helpers/siteProcess.ts'

describeEngines((stage) => {
  test('an admin logs in, deletes a comment and bans its poster, who cannot post', async () => {
    const { page, site, engine } = stage
    const client = await createAdminClient(site.origin)
    const { path, threads } = await client.createBoard(`Kept by ${engine}`)
    const { thread } = await client.post(threads, { title: 'A thread', content: 'opening' })
    for (const content of ['first spam', 'second spam'])
      await client.post(`${threads}/${thread.id}/comments`, { content })

    await page.open('/login')
    await page.fill('Email', ADMIN.email)
    await page.fill('Password', ADMIN.password)
    await page.press('Login', 'main')
    await page.isAt('/dtpchan')
    await page.see(ADMIN.email)

    await page.open(`${path}/thread/${thread.id}`)
    await page.press(/^Delete comment No/)
    await page.press('Delete')
    await page.lose('first spam')
    await page.press(/^Actions for comment/)
    await page.press(/^Everything by this poster/, ':popover-open')
    await page.press('Keep them')
    await page.press('The address')
    await page.fill('Reason', 'Advertising')
    await page.press('Ban')
    await page.see(/banned/)
    await page.press(/Log ?out/)
    await page.lose(ADMIN.email)

    const refused = await client.post(`${threads}/${thread.id}/comments`, { content: 'again' })
    expect(refused).toMatchObject({ success: false })
    await page.press('Comment')
    await page.fill('Content', 'I am back')
    await page.fill('Username', 'spammer')
    await page.solveCaptcha()
    await page.press('Post Comment')
    await page.see(/Advertising/)
    await page.see('Appeal this ban')
  })
})
