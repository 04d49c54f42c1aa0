import type { SiteSwitch } from '#src/contract/switches.ts'
import { BOARDS, type Fields, solveQuestion, toFormData } from './apiCalls.ts'
import { ADMIN, readJson } from './siteProcess.ts'

type Body = { json?: object | undefined; form?: FormData }

export type SiteClient = ReturnType<typeof createSiteClient>

/** Calls a running site as programs do. */
export function createSiteClient(origin: string) {
  let token = ''

  async function send(method: string, path: string, { json, form }: Body, headers: Record<string, string> = {}) {
    return readJson(
      await fetch(`${origin}${path}`, {
        method,
        headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
        body: form ?? (json && JSON.stringify(json)),
      }),
    )
  }
  /** @param from address of a visitor, for a site behind a proxy */
  const asVisitor = (from = '') => ({ ...(from && { 'x-forwarded-for': from }) })

  return {
    /** Calls as the logged-in user, or as a visitor with an address. */
    call: (method: string, path: string, json?: object, from?: string) =>
      send(method, path, { json }, token && !from ? { authorization: `Bearer ${token}` } : asVisitor(from)),

    /** Posts a form with a solved captcha, as a visitor. */
    async post(path: string, fields: Fields, from?: string) {
      const { challengeId, question } = await send('POST', '/api/dtpchan/captcha', {}, asVisitor(from))
      const captchaAnswer = String(solveQuestion(question))
      const form = toFormData({ author: 'writer', ...fields, challengeId, captchaAnswer })
      return send('POST', path, { form }, asVisitor(from))
    },

    async logIn(user = ADMIN): Promise<void> {
      token = (await send('POST', '/api/dtpchan/admin/login', { json: user })).token
    },

    /** Turns a switch of the site on while `run` runs, and off even if it fails. */
    async withSwitch(name: SiteSwitch, run: () => Promise<void>): Promise<void> {
      const turn = (on: boolean) => this.call('PUT', `/api/moderation/switches/${name}`, { on })
      await turn(true)
      await run().finally(() => turn(false))
    },

    /** @returns the id of the board, the path of its page, and the URL that takes its threads */
    async createBoard(name: string) {
      const json = { name, description: `All about ${name}` }
      const { board } = await this.call('POST', BOARDS, json)
      const id = board.id as string
      return { id, path: `/dtpchan/board/${id}`, threads: `${BOARDS}/${id}/threads` }
    },
  }
}

export async function createAdminClient(origin: string): Promise<SiteClient> {
  const client = createSiteClient(origin)
  await client.logIn()
  return client
}

/** Posts a form with a solved captcha and returns the response body. */
export const postForm = (origin: string, path: string, fields: Fields) => createSiteClient(origin).post(path, fields)

/** Creates a board with one thread. */
export async function createBoardWithThread(origin: string, name: string) {
  const client = await createAdminClient(origin)
  const { path, threads } = await client.createBoard(name)
  const { thread } = await client.post(threads, { title: 'Under load', content: 'text' })
  const threadId = thread.id as number
  return { client, threads, threadId, path: `${path}/thread/${threadId}` }
}
