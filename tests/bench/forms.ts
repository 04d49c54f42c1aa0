import { answerOf, formOf } from '#tests/helpers/calls.ts'
import { type Ask, Connection, encode } from './connection.ts'
import { BOARD } from './seed.ts'

const AT_ONCE = 8
export const THREADS = `/api/dtpchan/boards/${BOARD}/threads`

let visitors = 0
/** An address of its own, as a trusted proxy would name it. */
export function asVisitor(): Record<string, string> {
  const number = ++visitors
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

export const jsonPost = (path: string, value: unknown, visitor = asVisitor()): Ask => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...visitor },
  body: Buffer.from(JSON.stringify(value)),
})

type Fields = Record<string, string | Blob>

/**
 * Prepares forms of posts, their captchas already solved.
 * @param pathOf where the post of a number goes
 */
export async function preparePosts(
  port: number,
  count: number,
  pathOf: (number: number) => string,
  fields: Fields = {},
): Promise<Buffer[]> {
  const posts: Buffer[] = []
  let begun = 0
  const prepare = async () => {
    const connection = new Connection(port)
    while (begun < count) {
      const number = begun++
      const content = `Comment number ${number}. It is as long as most of them are, and says no more than that.`
      posts.push(encode(await preparePost(connection, pathOf(number), { content, author: 'writer', ...fields })))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, prepare))
  return posts
}

/** Solves a captcha and prepares the form of a post; both are sent by the same visitor. */
export async function preparePost(
  connection: Connection,
  path: string,
  fields: Fields,
  visitor = asVisitor(),
): Promise<Ask> {
  const { status, body } = await connection.send(encode(jsonPost('/api/dtpchan/captcha', {}, visitor)))
  if (status !== 200) throw new Error(`captcha: ${status} ${body}`)
  const { challengeId, question } = JSON.parse(body.toString())
  return formPost(path, { ...fields, challengeId, captchaAnswer: String(answerOf(question)) }, visitor)
}

export async function formPost(path: string, fields: Fields, visitor = asVisitor()): Promise<Ask> {
  const encoded = new Response(formOf(fields))
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...visitor }
  return { path, method: 'POST', headers, body: Buffer.from(await encoded.arrayBuffer()) }
}
