import { answerOf, formOf } from '../helpers/calls.ts'
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

export const jsonPost = (path: string, value: unknown): Ask => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...asVisitor() },
  body: Buffer.from(JSON.stringify(value)),
})

/**
 * Forms of posts ready to be sent, their challenges asked for and answered beforehand.
 * @param pathOf where the post of a number goes
 */
export async function preparePosts(
  port: number,
  count: number,
  pathOf: (number: number) => string,
  fields: Record<string, string | Blob> = {},
): Promise<Buffer[]> {
  const posts: Buffer[] = []
  let begun = 0
  const prepare = async () => {
    const connection = new Connection(port)
    while (begun < count) {
      const number = begun++
      const { status, body } = await connection.send(encode(jsonPost('/api/dtpchan/captcha', {})))
      if (status !== 200) throw new Error(`captcha: ${status} ${body}`)
      const { challengeId, question } = JSON.parse(body.toString())
      const content = `Comment number ${number}. It is as long as most of them are, and says no more than that.`
      const answered = { challengeId, captchaAnswer: String(answerOf(question)) }
      posts.push(await encodeForm(pathOf(number), { content, author: 'writer', ...fields, ...answered }))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, prepare))
  return posts
}

async function encodeForm(path: string, fields: Record<string, string | Blob>): Promise<Buffer> {
  const encoded = new Response(formOf(fields))
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...asVisitor() }
  return encode({ path, method: 'POST', headers, body: Buffer.from(await encoded.arrayBuffer()) })
}
