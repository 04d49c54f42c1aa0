import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thread } from '#db/schema/index.ts'
import { readEventPosts } from '#server/features/board/read/singlePosts.ts'
import { highlightStyles } from '#src/contract/paste.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Code', admin)
})
afterAll(() => site.close())

const open = async (content: string) => (await postThread(site, boardId, { content })).body.thread.id as number
const read = async (threadId: number) => (await readThread(site, boardId, threadId)).body.thread
const fence = (code: string, language = '') => `\`\`\`${language}\n${code}\n\`\`\``
const comment = highlightStyles.indexOf('comment')

test('colours blocks of code in threads, events and previews', async () => {
  const threadId = await open(
    `see\n${fence('# one', 'py')}\nand\n${fence('no language at all')}\n${fence('-- two', 'SQL')}`,
  )
  const highlights = [[5, comment], [], [6, comment]]
  expect((await read(threadId)).highlights).toEqual(highlights)
  expect((await readEventPosts(site.app.services, [threadId]))?.get(threadId)?.view.highlights).toEqual(highlights)
  const preview = await callApi(site, 'GET', `/api/dtpchan/posts/${threadId}`)
  expect(preview.body.post.highlights).toEqual(highlights)
})

test('guesses the language of a block without a name', async () => {
  const threadId = await open(fence('#!/bin/sh\n# a comment\necho'))
  expect((await read(threadId)).highlights[0]).toContain(comment)
})

test.each([
  ['a language that nobody knows', fence('# a', 'klingon')],
  ['the name of an object property', fence('# a', 'constructor')],
  ['too many colours', fence('1,'.repeat(5000), 'js')],
  ['code in a spoiler', `[spoiler]\n${fence('# a', 'py')}\n[/spoiler]`],
  ['code on a line', '`# a`'],
])('shows %s without colours', async (_name, content) => {
  expect(await read(await open(content))).not.toHaveProperty('highlights')
})

test('stores no quotes of posts that only code names', async () => {
  const quoted = await open('quoted')
  const { quotes } = await read(await open(`\`>>${quoted}\`\n${fence(`>>${quoted}`)}`))
  expect(quotes).toEqual([])
  expect((await read(quoted)).quotedBy).toEqual([])
})

test('writes code as 4chan does, and as preformatted text in feeds', async () => {
  const threadId = await open(`say \`a<b\`\n${fence('if (a < b)\n  c', 'c')}`)
  const { body } = await site.app.inject({ url: `/${boardId}/thread/${threadId}.json` })
  expect(JSON.parse(body).posts[0].com).toBe(
    'say <code>a&lt;b</code><br><pre class="prettyprint">if (a &lt; b)<br>  c</pre>',
  )
  const feed = await site.app.inject({ url: `/dtpchan/board/${boardId}/thread/${threadId}/feed.atom` })
  expect(feed.body).toContain('&lt;pre&gt;&lt;code&gt;if (a &amp;lt; b)\n  c&lt;/code&gt;&lt;/pre&gt;')
})

test('frees what a deleted comment with code costs', async () => {
  const threadId = await open('text')
  const counted = () =>
    site.app.services.db
      .select({ bytes: thread.byteCount, nodes: thread.nodeCount })
      .from(thread)
      .where(eq(thread.id, threadId))
  const [before] = await counted()
  const { body } = await postComment(site, { boardId, threadId }, { content: fence('x'.repeat(600)) })
  const [after] = await counted()
  expect(Number(after?.nodes) - Number(before?.nodes)).toBe(30)
  expect(Number(after?.bytes) - Number(before?.bytes)).toBeGreaterThan(600 + 100 * 50)
  const commentId = body.comment.id
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}/comments/${commentId}`, { token: admin })
  expect(await counted()).toEqual([before])
})
