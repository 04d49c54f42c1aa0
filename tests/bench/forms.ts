import { solveQuestion, toFormData } from '#tests/helpers/apiCalls.ts'
import { Connection, encode, type RequestSpec } from './connection.ts'
import { BOARD } from './seed.ts'

const CONCURRENCY = 8
export const THREADS = `/api/dtpchan/boards/${BOARD}/threads`

let visitors = 0
/** Returns the proxy header with a new visitor's address. */
export function newVisitor(): Record<string, string> {
  const number = ++visitors
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

export const jsonPost = (path: string, value: unknown, visitor = newVisitor()): RequestSpec => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...visitor },
  body: Buffer.from(JSON.stringify(value)),
})

type Fields = Record<string, string | Blob>

/**
 * Prepares requests for posts, with solved captchas.
 * @param pathOf returns the path for a post number
 */
export async function preparePosts(
  port: number,
  count: number,
  pathOf: (number: number) => string,
  fields: Fields = {},
): Promise<Buffer[]> {
  const posts: Buffer[] = []
  let started = 0
  const prepare = async () => {
    const connection = new Connection(port)
    while (started < count) {
      const number = started++
      const content = `Comment number ${number}. It is as long as most of them are, and says no more than that.`
      posts.push(encode(await preparePost(connection, pathOf(number), { content, author: 'writer', ...fields })))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, prepare))
  return posts
}

/** Solves a captcha and prepares a request for a post by the same visitor. */
export async function preparePost(
  connection: Connection,
  path: string,
  fields: Fields,
  visitor = newVisitor(),
): Promise<RequestSpec> {
  const { status, body } = await connection.send(encode(jsonPost('/api/dtpchan/captcha', {}, visitor)))
  if (status !== 200) throw new Error(`captcha: ${status} ${body}`)
  const { challengeId, question } = JSON.parse(body.toString())
  return formPost(path, { ...fields, challengeId, captchaAnswer: String(solveQuestion(question)) }, visitor)
}

export async function formPost(path: string, fields: Fields, visitor = newVisitor()): Promise<RequestSpec> {
  const encoded = new Response(toFormData(fields))
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...visitor }
  return { path, method: 'POST', headers, body: Buffer.from(await encoded.arrayBuffer()) }
}
