import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Names', admin)
})
afterAll(() => site.close())

const program = {
  name: 'name',
  link: 'https://example.org',
  description: 'one\ntwo',
  addedBy: 'gl1tch',
  category: 'Media',
}
const addProgram = (fields: object) =>
  callApi(site, 'POST', '/api/programs', { json: { ...program, ...fields }, token: admin })
const addBoard = (fields: object) =>
  callApi(site, 'POST', BOARDS, { json: { name: 'name', description: 'text', ...fields }, token: admin })
const oneLine = (label: string) => [400, `${label} must be one line without control or text direction characters`]
const noMarks = (label: string) => [400, `${label} must not contain control or text direction characters`]
const outcome = ({ status, body }: Awaited<ReturnType<typeof callApi>>) => [status, body.error]

const MARKS = ['\n', '\t', '\u0007', '\u0085', '\u2028', '\u202e', '\u2066', '\u061c', '\u200f']

test.each(MARKS)('refuses %j in titles and names', async (mark) => {
  const value = `left${mark}right`
  const threadId = (await postThread(site, boardId)).body.thread.id
  expect(outcome(await postThread(site, boardId, { title: value }))).toEqual(oneLine('Title'))
  expect(outcome(await postThread(site, boardId, { author: value }))).toEqual(oneLine('Username'))
  expect(outcome(await postComment(site, { boardId, threadId }, { author: value }))).toEqual(oneLine('Username'))
  expect(outcome(await addBoard({ name: value }))).toEqual(oneLine('Board name'))
  expect(outcome(await addProgram({ name: value }))).toEqual(oneLine('Program name'))
  expect(outcome(await addProgram({ addedBy: value }))).toEqual(oneLine('Added by'))
  expect(outcome(await addProgram({ category: value }))).toEqual(oneLine('Category'))
})

test('accepts descriptions of several lines, but no marks of text direction in them', async () => {
  expect((await addProgram({})).body.program.description).toBe('one\ntwo')
  expect((await addBoard({ description: 'one\r\ntwo' })).body.board.description).toBe('one\ntwo')
  expect(outcome(await addProgram({ description: 'a\u202eb' }))).toEqual(noMarks('Description'))
  expect(outcome(await addBoard({ description: 'a\u0007b' }))).toEqual(noMarks('Description'))
})

test('accepts marks of text direction in the text of a post', async () => {
  const content = 'a \u202eb\u202c \u2067c\u2069'
  expect((await postThread(site, boardId, { content })).body.thread.content).toBe(content)
})

test.each(['http://bank.example@evil.example/', 'https://user:word@evil.example/'])(
  'refuses %s, whose user name could be taken for the host',
  async (link) => {
    const refusal = [400, 'Links must not contain a user name or password']
    expect(outcome(await postThread(site, boardId, { links: JSON.stringify([link]) }))).toEqual(refusal)
    expect(outcome(await addProgram({ link }))).toEqual(refusal)
  },
)
