import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { t } from '#src/i18n/t.ts'
import { solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { createBoardWithThread, type SiteClient } from '#tests/helpers/siteClient.ts'
import { readJson, type SiteProcess, spawnSite } from '#tests/helpers/siteProcess.ts'

const MiB = 1024 * 1024
const TYPED = {
  title: 'My title',
  content: 'My <b>text</b>\nof two lines',
  author: 'gl1tch#tr1pc0de',
  links: 'https://a.example',
}
/** The page never contains the secret of a tripcode. */
const SHOWN = ['My title', 'My &lt;b&gt;text&lt;/b&gt;\nof two lines</textarea>', 'gl1tch#"', 'https://a.example']
const LOST_IMAGE = 'The page cannot keep images. Please choose them again.'

let place: TestDatabase
let site: SiteProcess
let client: SiteClient
let threads: string
let threadId: number
beforeAll(async () => {
  place = await testDatabase()
  site = await spawnSite(place, { RATE_LIMIT: 'on', RATE_THREAD: '9/24h' })
  ;({ client, threads, threadId } = await createBoardWithThread(site.origin, 'Kept'))
})
afterAll(async () => {
  await site.stop()
  await place.cleanup()
})

/** Sends a form as a browser without script does. */
async function submit(path: string, fields: Record<string, string | Blob | Blob[]>) {
  const answer = await fetch(`${site.origin}${path}`, {
    method: 'POST',
    body: toFormData(fields),
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  return { status: answer.status, html: await answer.text() }
}

async function submitPost(path: string, image: Blob[] = []) {
  const challenge = await readJson(await fetch(`${site.origin}/api/dtpchan/captcha`, { method: 'POST' }))
  const captchaAnswer = String(solveQuestion(challenge.question))
  return submit(path, { ...TYPED, challengeId: challenge.challengeId, captchaAnswer, image })
}

const image = (mebibytes: number) => new File([Buffer.alloc(mebibytes * MiB, 1)], 'a.png', { type: 'image/png' })

function expectPage(answer: { status: number; html: string }, status: number, texts: string[]) {
  const missing = texts.filter((text) => !answer.html.includes(text))
  expect([answer.status, missing, answer.html.includes('tr1pc0de')]).toEqual([status, [], false])
}

describe('the page of a post whose place is missing keeps what was typed', () => {
  test('in a deleted thread', async () => {
    const { thread } = await client.post(threads, { title: 'Gone', content: 'x' })
    await client.call('DELETE', `${threads}/${thread.id}`)
    expectPage(await submitPost(`${threads}/${thread.id}/comments`), 410, ['Thread not found', ...SHOWN])
  })

  test.each([
    ['an unknown thread', () => `${threads}/999999/comments`, 'Thread not found'],
    ['an unknown comment', () => `${threads}/${threadId}/comments/999999/replies`, 'Comment not found'],
    ['an unknown board', () => '/api/dtpchan/boards/nothing/threads', 'Board not found'],
  ])('for %s', async (_name, path, reason) => {
    expectPage(await submitPost(path()), 404, [reason, ...SHOWN])
  })

  test('but shows no texts to a visitor who only opens it', async () => {
    const html = await (await fetch(`${site.origin}/dtpchan/board/kept/thread/999999`)).text()
    expect([html.includes('Thread not found'), html.includes('<textarea')]).toEqual([true, false])
  })
})

describe('the page of a form that is too large keeps what was typed', () => {
  test.each([
    ['one image of 25 MiB', [25]],
    ['one image of 80 MiB', [80]],
    ['four images of 6 MiB', [6, 6, 6, 6]],
  ])('with %s', async (_name, sizes) => {
    expectPage(await submitPost(threads, sizes.map(image)), 413, [t('image.size'), ...SHOWN])
  })

  test('with many images that are small enough', async () => {
    const answer = await submitPost(threads, Array(14).fill(image(5)))
    expectPage(answer, 413, ['The request is too large', LOST_IMAGE, ...SHOWN])
  })

  test('with a shared image, and its expiry', async () => {
    const answer = await submit('/api/image-share', { image: image(25), expiryHours: '6' })
    expectPage(answer, 413, [t('image.size'), '<option value="6" selected'])
  })
})

test('a large form beyond the rate limit keeps what was typed', async () => {
  let answer = await submitPost(threads)
  for (let posts = 0; posts < 9 && answer.status === 303; posts++) answer = await submitPost(threads)
  expect(answer.status).toBe(429)
  expectPage(await submitPost(threads, [image(1)]), 429, [t('limit.thread'), LOST_IMAGE, ...SHOWN])
})

test('the log has no secret of a tripcode', () => {
  expect(site.output()).toContain('The site is at')
  expect(site.output()).not.toContain('tr1pc0de')
})
