import type { BoardPage } from '#src/contract/thread.ts'
import type { TestSite } from './site.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses as any client would
export type ApiResponse = { status: number; body: any; headers: Record<string, unknown> }
type Options = { json?: unknown; form?: FormData; raw?: Buffer | string; type?: string; token?: string }

/** Calls the API over HTTP, like an external client. The documentation must describe the answer. */
export async function callApi(
  site: TestSite,
  method: string,
  url: string,
  options: Options = {},
): Promise<ApiResponse> {
  const headers: Record<string, string> = {}
  let payload: Buffer | string | undefined
  if (options.token) headers.authorization = `Bearer ${options.token}`
  if (options.form) {
    const encoded = new Response(options.form)
    headers['content-type'] = encoded.headers.get('content-type') ?? ''
    payload = Buffer.from(await encoded.arrayBuffer())
  } else if (options.json !== undefined) {
    headers['content-type'] = 'application/json'
    payload = JSON.stringify(options.json)
  } else if (options.raw !== undefined) {
    headers['content-type'] = options.type ?? 'application/json'
    payload = options.raw
  }
  const response = await site.app.inject({ method: method as 'GET', url, headers, payload })
  const answer = { status: response.statusCode, body: parse(response.body), headers: response.headers }
  // Imported here, because browser tests use this file without the code of the server.
  const { checkDocumented } = await import('./apiDocument.ts')
  checkDocumented(method, url, { ...answer, type: String(response.headers['content-type'] ?? '') })
  return answer
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Requests a captcha and returns its form fields with the correct answer. */
export async function solveChallenge(site: TestSite): Promise<{ challengeId: string; captchaAnswer: string }> {
  const { body } = await callApi(site, 'POST', '/api/dtpchan/captcha', { raw: '' })
  return { challengeId: body.challengeId, captchaAnswer: String(solveQuestion(body.question)) }
}

/** Returns the answer to a question such as `What is 7 + 5?`. */
export function solveQuestion(question: string): number {
  const [, left, sign, right] = /^What is (\d+) ([+−×]) (\d+)\?$/.exec(question) ?? []
  const [a, b] = [Number(left), Number(right)]
  if (sign === '+') return a + b
  if (sign === '−') return a - b
  if (sign === '×') return a * b
  throw new Error(`Not a captcha question: ${question}`)
}

export type Fields = Record<string, string | Blob | Blob[] | undefined>

/** Creates a multipart form without undefined fields. */
export function toFormData(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) form.append(name, one, 'name' in one ? String(one.name) : 'file')
      else if (one !== undefined) form.append(name, one)
    }
  }
  return form
}

export const BOARDS = '/api/dtpchan/boards'

/** Creates a board and returns its id. */
export async function createBoard(site: TestSite, name: string, token: string): Promise<string> {
  const { body } = await callApi(site, 'POST', BOARDS, { json: { name, description: `All about ${name}` }, token })
  return body.board.id
}

/** Posts a thread with a solved captcha and returns the response. */
export async function postThread(site: TestSite, boardId: string, fields: Fields = {}): Promise<ApiResponse> {
  const form = toFormData({
    title: 'A title',
    content: 'Some text',
    author: 'gl1tch',
    ...(await solveChallenge(site)),
    ...fields,
  })
  return callApi(site, 'POST', `${BOARDS}/${boardId}/threads`, { form })
}

/** Posts a comment (or a reply, with `commentId`) with a solved captcha and returns the response. */
export async function postComment(
  site: TestSite,
  at: { boardId: string; threadId: number; commentId?: number },
  fields: Fields = {},
  token?: string,
): Promise<ApiResponse> {
  const form = toFormData({ content: 'A comment', author: 'ferrite', ...(await solveChallenge(site)), ...fields })
  const comments = `${BOARDS}/${at.boardId}/threads/${at.threadId}/comments`
  return callApi(site, 'POST', at.commentId ? `${comments}/${at.commentId}/replies` : comments, { form, token })
}

/** Reads a thread through the documented API. */
export const readThread = (site: TestSite, boardId: string, threadId: number) =>
  callApi(site, 'GET', `${BOARDS}/${boardId}/threads/${threadId}`)

/** Reads the fields of what a board page shows. Dates are texts. */
export async function readBoard(site: TestSite, boardId: string, cursor?: string): Promise<BoardPage> {
  // Programs that import these helpers need no server.
  const { readBoardPage } = await import('#server/features/board/read/threadLists.ts')
  return JSON.parse(JSON.stringify(await readBoardPage(site.app.services, boardId, cursor)))
}
