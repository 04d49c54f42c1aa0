import { type ApiResponse, BOARDS, solveQuestion, toFormData } from './apiCalls.ts'
import { checkDocumented } from './apiDocument.ts'
import { stillImage } from './sampleImages.ts'
import type { TestSite } from './site.ts'

type Fields = Record<string, string | Blob | undefined>

/** A visitor with a separate IP address. */
export type Visitor = ReturnType<typeof createVisitor>

export function createVisitor(site: TestSite, address: string, token?: string) {
  async function post(url: string, payload: FormData | object): Promise<ApiResponse> {
    const form = payload instanceof FormData ? new Response(payload) : null
    const headers: Record<string, string> = {}
    if (form) headers['content-type'] = form.headers.get('content-type') ?? ''
    if (token) headers.authorization = `Bearer ${token}`
    const response = await site.app.inject({
      method: 'POST',
      url,
      remoteAddress: address,
      headers,
      payload: form ? Buffer.from(await form.arrayBuffer()) : payload,
    })
    const answer = { status: response.statusCode, body: response.json(), headers: response.headers }
    checkDocumented('POST', url, { ...answer, type: String(response.headers['content-type'] ?? '') })
    return answer
  }

  async function solve() {
    const { body } = await post('/api/dtpchan/captcha', {})
    return { challengeId: String(body.challengeId), captchaAnswer: String(solveQuestion(body.question)) }
  }

  const send = async (url: string, fields: Fields) =>
    post(url, toFormData({ content: 'A text', author: 'ferrite', ...(await solve()), ...fields }))

  return {
    address,
    post,
    postThread: (boardId: string, fields: Fields = {}) =>
      send(`${BOARDS}/${boardId}/threads`, { title: 'A title', ...fields }),
    postComment: (boardId: string, threadId: number, fields: Fields = {}) =>
      send(`${BOARDS}/${boardId}/threads/${threadId}/comments`, fields),
    postReply: (boardId: string, threadId: number, commentId: number, fields: Fields = {}) =>
      send(`${BOARDS}/${boardId}/threads/${threadId}/comments/${commentId}/replies`, fields),
    createPaste: (content = 'A text') => post('/api/paste', { content, expiryHours: 24 }),
    shareImage: async () => post('/api/image-share', toFormData({ image: await createPng(), expiryHours: '24' })),
  }
}

export const createPng = async () =>
  new File([new Uint8Array(await stillImage(60, 40).png().toBuffer())], 'p.png', { type: 'image/png' })
