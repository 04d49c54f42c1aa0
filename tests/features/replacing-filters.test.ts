import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FILTERS = '/api/moderation/filters'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Replaced', admin)
  threadId = (await postThread(site, boardId)).body.thread.id
})
afterAll(() => site.close())
afterEach(async () => {
  const { filters } = (await callApi(site, 'GET', FILTERS, { token: admin })).body
  for (const { id } of filters) await callApi(site, 'DELETE', `${FILTERS}/${id}`, { token: admin })
})

const add = (fields: object) =>
  callApi(site, 'POST', FILTERS, {
    token: admin,
    json: { kind: 'literal', value: 'cat', fields: ['post'], effect: 'replace', replacement: 'dog', ...fields },
  })
const comment = (fields: object, token?: string) => postComment(site, { boardId, threadId }, { ...fields }, token)
const contentOf = async (content: string) => {
  const { status, body } = await comment({ content })
  expect(status).toBe(200)
  const { comments } = (await readThread(site, boardId, threadId)).body.thread
  expect(comments.at(-1).content).toBe(body.comment.content)
  return body.comment.content
}

describe('a replacing filter', () => {
  test.each([
    ['a cat and a CAT', 'a dog and a dog'],
    ['a c\u200bat', 'a dog'],
    ['ｃａｔ', 'dog'],
    ['＂quoted＂ cat', '＂quoted＂ dog'],
    ['no match ＂stays＂', 'no match ＂stays＂'],
    ['concatenate', 'condogenate'],
    ['line\ncat\n\nline', 'line\ndog\n\nline'],
    ['[spoiler]the cat[/spoiler] and a cat', '[spoiler]the dog[/spoiler] and a dog'],
    ['c[spoiler]at hides[/spoiler] a cat', '[spoiler]dog hides[/spoiler] a dog'],
    ['[SPOILER]x ca[/spoiler]t c[spoiler]a[/spoiler]t', '[SPOILER]x dog[/spoiler] [spoiler]dog[/spoiler]'],
    ['😀 cat [spoiler]😀[/spoiler] cat', '😀 dog [spoiler]😀[/spoiler] dog'],
    ['c[spoiler]\u200bat[/spoiler]', '[spoiler]dog[/spoiler]'],
  ])('stores %j as %j', async (typed, stored) => {
    await add({})
    expect(await contentOf(typed)).toBe(stored)
  })

  test('leaves links to posts alone, and a number also in URLs', async () => {
    await add({ value: String(threadId), replacement: 'x' })
    const text = `>>${threadId} http://example.org/${threadId} ${threadId}`
    expect(await contentOf(text)).toBe(`>>${threadId} http://example.org/${threadId} x`)
    await add({ value: 'example', replacement: 'sample' })
    expect(await contentOf('http://example.org/')).toBe('http://sample.org/')
  })

  test('replaces a pattern by its text as it is, once, in the order of the filters', async () => {
    await add({ kind: 'pattern', value: '(c)(at)s?', replacement: '$2cats' })
    await add({ value: 'cats', replacement: 'birds' })
    expect(await contentOf('cats')).toBe('$2birds')
  })

  test('replaces in titles and names', async () => {
    await add({ fields: ['post', 'name'] })
    const { thread } = (await postThread(site, boardId, { title: 'My cat', content: 'x', author: 'catlover' })).body
    expect(thread).toMatchObject({ title: 'My dog', author: 'doglover' })
    expect((await readThread(site, boardId, thread.id)).body.thread).toMatchObject({
      title: 'My dog',
      author: 'doglover',
    })
  })

  test('does not apply to moderators, and other filters read what was typed', async () => {
    await add({})
    expect((await comment({ content: 'cat' }, admin)).body.comment.content).toBe('cat')
    await add({ value: 'cat food', effect: 'refuse', replacement: '' })
    expect((await comment({ content: 'cat food' })).status).toBe(403)
    await add({ value: 'cat hair', effect: 'hold', replacement: '' })
    expect((await comment({ content: 'cat hair' })).body).toMatchObject({
      held: true,
      comment: { content: 'dog hair' },
    })
  })

  test('never makes a text that the form refuses', async () => {
    await add({ replacement: 'd'.repeat(200), fields: ['post', 'name'] })
    expect((await comment({ content: 'cat '.repeat(5000) })).status).toBe(403)
    expect((await comment({ author: 'catcat' })).status).toBe(403)
    for (const replacement of ['## Mod', '♯♯ Mod', '!ozOtJW9BFA', '#x']) {
      const { id } = (await add({ value: 'boss', fields: ['name'], replacement })).body.filter
      expect([replacement, (await comment({ author: 'boss' })).status]).toEqual([replacement, 403])
      await callApi(site, 'DELETE', `${FILTERS}/${id}`, { token: admin })
    }
  })

  test('leaves a default name of one letter alone', async () => {
    const json = { name: 'Replaced', description: 'x', rules: '', defaultName: 'A' }
    await callApi(site, 'PUT', `/api/dtpchan/boards/${boardId}`, { token: admin, json })
    await add({ fields: ['post', 'name'] })
    const { comment: stored } = (await comment({ content: 'cat', author: '' })).body
    expect(stored).toMatchObject({ author: 'A', content: 'dog' })
  })

  test('shows in the dry run what it would make of posts', async () => {
    await comment({ content: 'a Cat naps' })
    const json = { kind: 'literal', value: 'cat naps', fields: ['post'], effect: 'replace', replacement: 'dog barks' }
    const { posts } = (await callApi(site, 'POST', `${FILTERS}/dry-run`, { token: admin, json })).body
    expect(posts[0]).toMatchObject({ excerpt: 'a Cat naps', after: 'a dog barks' })
    expect(posts[0]).not.toHaveProperty('authorAfter')
    await comment({ content: `${'a long story '.repeat(40)}cat naps`, author: 'cat naps' })
    const both = { ...json, fields: ['post', 'name'] }
    const [long] = (await callApi(site, 'POST', `${FILTERS}/dry-run`, { token: admin, json: both })).body.posts
    expect(long).toMatchObject({
      author: 'cat naps',
      authorAfter: 'dog barks',
      excerpt: expect.stringMatching(/^…[a-z ]{40,60}cat naps$/),
      after: expect.stringMatching(/^…[a-z ]{40,60}dog barks$/),
    })
    const refusing = (
      await callApi(site, 'POST', `${FILTERS}/dry-run`, { token: admin, json: { ...json, effect: 'hold' } })
    ).body
    expect(refusing.posts[0]).not.toHaveProperty('after')
  })

  test.each([
    [{ replacement: '' }],
    [{ replacement: ' ' }],
    [{ replacement: undefined }],
    [{ replacement: 'a\nb' }],
    [{ replacement: 'a\0' }],
    [{ replacement: 'x'.repeat(201) }],
    [{ replacement: 5 }],
    [{ kind: 'domain', value: 'spam.example' }],
    [{ fields: ['paste'] }],
    [{ fields: ['post', 'paste'] }],
  ])('is refused with %j', async (fields) => {
    expect((await add(fields)).status).toBe(400)
  })
})
