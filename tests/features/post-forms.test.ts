import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const HTML = 'text/html,application/xhtml+xml'
let place: TestDatabase
let site: SiteProcess
let client: SiteClient
let threads: string
let comments: string
let thread: string
let page: string
beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place)
  const made = await createBoardWithThread(site.origin, 'Forms')
  client = made.client
  threads = made.threads
  comments = `${threads}/${made.threadId}/comments`
  thread = `/dtpchan/board/forms/thread/${made.threadId}`
  page = `/dtpchan/board/forms/post?thread=${made.threadId}`
})
afterAll(async () => {
  expect(await site.stop()).toBe(0)
  expect(site.output()).not.toMatch(/"level":(50|60)/)
  await place.cleanup()
})

/** Sends a form as a browser without script does. */
const submit = (path: string, body: FormData | URLSearchParams | string, headers: Record<string, string> = {}) =>
  fetch(`${site.origin}${path}`, { method: 'POST', body, headers: { accept: HTML, ...headers }, redirect: 'manual' })

async function captcha() {
  const challenge = await readJson(await fetch(`${site.origin}/api/dtpchan/captcha`, { method: 'POST' }))
  return { challengeId: challenge.challengeId, captchaAnswer: String(solveQuestion(challenge.question)) }
}
const form = async (fields: Record<string, string | Blob> = {}) =>
  toFormData({ author: 'plain', content: 'text', ...(await captcha()), ...fields })

const get = (path: string) => fetch(`${site.origin}${path}`, { headers: { accept: HTML } })

describe('a post form without script', () => {
  test('leads to the post, and gives programs the same JSON as before', async () => {
    const answer = await submit(comments, await form())
    expect(answer.status).toBe(303)
    const target = answer.headers.get('location') ?? ''
    expect(target).toMatch(new RegExp(`^${thread}#p\\d+$`))
    const json = await readJson(await submit(comments, await form(), { accept: '*/*' }))
    expect(json).toMatchObject({ success: true, comment: { content: 'text' }, deleteToken: expect.any(String) })
    const links = await submit(comments, await form({ links: 'https://example.org' }), { accept: 'application/json' })
    expect([links.status, (await readJson(links)).success]).toEqual([400, false])
  })

  test.each([
    ['a text', { image: false }],
    ['an image', { image: true }],
  ])('sent twice at once with %s, makes one post and leads to it both times', async (_name, { image }) => {
    const bytes = new Uint8Array(await stillImage().png().toBuffer())
    const body = await form({ title: 'Twice', ...(image && { image: new Blob([bytes], { type: 'image/png' }) }) })
    const answers = await Promise.all([submit(threads, body), submit(threads, body)])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    const [first, second] = answers.map(({ headers }) => headers.get('location'))
    expect(first).toMatch(/\/thread\/\d+$/)
    expect(second).toBe(first)
  })

  test('sent with another text and a spent captcha, shows the captcha error and the text', async () => {
    const challenge = await captcha()
    await submit(threads, await form({ title: 'Once', ...challenge }))
    const refused = await submit(threads, await form({ title: 'Again', ...challenge }))
    expect(refused.status).toBe(400)
    const html = await refused.text()
    expect(html).toContain(t('board.captchaRefused'))
    expect(html).toContain('value="Again"')
  })

  test('keeps the spaces before the first line, and none after the text', async () => {
    const content = '\r\n \r\n   /\\_/\\\r\n  ( o.o )  \r\n'
    const { comment } = await readJson(await submit(comments, await form({ content }), { accept: '*/*' }))
    expect(comment.content).toBe('   /\\_/\\\n  ( o.o )')
    const refused = await submit(comments, await form({ content: ' \r\n   ' }), { accept: '*/*' })
    expect(await readJson(refused)).toMatchObject({ success: false, error: 'Content is required' })
    // The form keeps them when it is refused.
    const shown = await (await submit(comments, await form({ content: '   indented', captchaAnswer: '' }))).text()
    expect(shown).toMatch(/<textarea[^>]*> {3}indented</)
  })

  test('escapes what it shows again', async () => {
    const hostile = '</textarea></script><script>window.ran=1</script>"\''
    const answer = await submit(comments, await form({ content: hostile, author: '"><script>x', captchaAnswer: '999' }))
    const html = await answer.text()
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(html).not.toContain('<script>window')
    expect(html).not.toContain('"><script>x')
  })

  test.each<[string, () => Promise<FormData | URLSearchParams | string>, Record<string, string>, number]>([
    ['no fields', async () => new FormData(), {}, 400],
    ['huge text', () => form({ content: 'x'.repeat(600 * 1024) }), {}, 413],
    ['long text', () => form({ content: 'x'.repeat(20_001) }), {}, 400],
    ['a file that is no picture', () => form({ image: new Blob(['no'], { type: 'image/png' }) }), {}, 415],
    [
      'a truncated form',
      async () => '--edge\r\nContent-Dis',
      { 'content-type': 'multipart/form-data; boundary=edge' },
      400,
    ],
    ['a form without boundary', async () => 'x', { 'content-type': 'multipart/form-data' }, 400],
    [
      'a repeated field',
      async () => {
        const body = await form()
        body.append('content', 'again')
        return body
      },
      {},
      400,
    ],
    ['a field named __proto__', async () => form({ ['__proto__']: 'x', constructor: 'y', content: '' }), {}, 400],
  ])('with %s is refused with a page', async (_name, makeBody, headers, status) => {
    const answer = await submit(comments, await makeBody(), headers)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, expect.stringContaining('text/html')])
    expect(await answer.text()).toContain('</html>')
  })

  test.each([
    '/api/dtpchan/boards/nothing/threads',
    '/api/dtpchan/boards/%2e%2e%2f/threads',
    `/api/dtpchan/boards/${'x'.repeat(90)}/threads`,
    '/api/dtpchan/boards/forms%3Fheld=1/threads',
    '/api/dtpchan/boards/forms/threads/0/comments',
    '/api/dtpchan/boards/forms/threads/1e3/comments',
    '/api/dtpchan/boards/forms/threads/99999999999999999999/comments',
    '/api/dtpchan/boards/forms/threads/1%3Fheld=1/comments',
    '/api/dtpchan/boards/forms/threads/%00/comments/%0a/replies',
  ])('for the place %s answers 404', async (path) => {
    const answer = await submit(path, await form({ title: 'x' }))
    expect(answer.status).toBe(404)
  })
})

describe('the page of a post form', () => {
  test.each(['/dtpchan/board/forms/post', 'comment'])('is not for search engines: %s', async (path) => {
    const answer = await get(path === 'comment' ? page : path)
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('<meta name="robots" content="noindex"')
    expect(html).toMatch(/enctype="multipart\/form-data"/i)
  })

  test.each([
    ['/dtpchan/board/nothing/post', 404],
    ['/dtpchan/board/forms/post?thread=0', 404],
    ['/dtpchan/board/forms/post?thread=x%2Fy', 404],
    ['/dtpchan/board/forms/post?comment=1', 404],
    ['/dtpchan/board/forms/post?comment=%00', 404],
    ['COMMENT&comment=0', 404],
    ['COMMENT&comment=999999', 404],
    ['COMMENT&comment=%00', 404],
    ['COMMENT&comment=%3Cscript%3Ealert', 404],
    ['COMMENT&held=x&until=x', 200],
    ['COMMENT&held=5&until=never', 200],
    ['COMMENT&held=5&until=%2B275760-09-13', 200],
  ])('answers %s with %i', async (path, status) => {
    const answer = await get(path.replace('COMMENT', page))
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain('<script>alert')
  })
})

describe('the links of a post, which have only its number,', () => {
  const createComment = async (): Promise<{ comment: { id: number }; deleteToken: string }> =>
    client.post(comments, { content: 'linked' })
  const formOf = async (board: string, id: number) => {
    const answer = await get(`/dtpchan/board/${board}/post?comment=${id}`)
    const [, action = null] = /<form[^>]* action="([^"]*\/replies)"/.exec(await answer.text()) ?? []
    return [answer.status, action]
  }
  const reported = async (id: number) => {
    const answer = await get(`/report?post=${id}`)
    const html = await answer.text()
    const [field = ''] = /<input[^>]* name="url"[^>]*>/.exec(html) ?? []
    const [, url = ''] = /value="([^"]*)"/.exec(field) ?? []
    return [answer.status, url, html.includes(t('moderation.postNotFound'))]
  }

  test('lead to its forms, also when its author deleted it and others have answered', async () => {
    const { comment, deleteToken } = await createComment()
    const replies = `${comments}/${comment.id}/replies`
    const { reply } = await client.post(replies, { content: 'answer' })
    for (const id of [comment.id, reply.id]) {
      expect(await formOf('forms', id)).toEqual([200, replies])
      expect(await reported(id)).toEqual([200, `${thread}#p${id}`, false])
    }
    await client.call('DELETE', `${comments}/${comment.id}?deleteToken=${deleteToken}`)
    expect(await formOf('forms', comment.id)).toEqual([200, replies])
    expect(await reported(comment.id)).toEqual([200, `${thread}#p${comment.id}`, false])
  })

  test('say that it does not exist when it is removed or taken down, and on other boards', async () => {
    const [removed, erased, other] = [await createComment(), await createComment(), await createComment()]
    await client.call('DELETE', `${comments}/${removed.comment.id}?deleteToken=${removed.deleteToken}`)
    await client.call('POST', '/api/moderation/takedowns', { url: `${thread}#p${erased.comment.id}` })
    for (const { comment } of [removed, erased]) {
      expect(await formOf('forms', comment.id)).toEqual([404, null])
      expect(await reported(comment.id)).toEqual([200, '', true])
    }
    const elsewhere = await client.createBoard('Elsewhere')
    expect(await formOf(elsewhere.id, other.comment.id)).toEqual([404, null])
  })

  test('follow its thread to another board', async () => {
    const { threadId, threads } = await createBoardWithThread(site.origin, 'Before')
    const after = await client.createBoard('After')
    const { comment } = await client.post(`${threads}/${threadId}/comments`, { content: 'moves' })
    await client.call('POST', '/api/moderation/act', {
      ...{ boardId: 'before', postId: threadId, action: 'move', toBoard: after.id },
    })
    const replies = `${after.threads}/${threadId}/comments/${comment.id}/replies`
    for (const board of ['before', after.id]) expect(await formOf(board, comment.id)).toEqual([200, replies])
    expect(await reported(comment.id)).toEqual([200, `${after.path}/thread/${threadId}#p${comment.id}`, false])
  })
})
