import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { AppError, publicError } from '#server/core/errors.ts'
import { markOf } from '#server/core/http/visitors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { type Rendered, unkept } from './cachedPage.ts'
import { namePage } from './pageKeys.ts'
import { sendFinished } from './sendPage.ts'

type Text = { headers: Record<string, string>; text: string }

/** Answers with a text of the site that is no page, kept as pages are. */
export async function sendKept(
  { cache, config, costs, secrets, now }: Pick<Services, 'cache' | 'config' | 'costs' | 'secrets' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  write: () => Promise<Text>,
) {
  const named = config.pageCache ? namePage(request.url) : null
  if (!named || !cache.holds(named.name)) costs.charge(request, COST.render)
  const visitor = () => markOf(request, secrets.visitors, now())
  const page = named ? await cache.read(named.name, visitor, () => render(write)) : unkept(await render(write))
  return page.outcome === 'finished' ? sendFinished(request, reply, page) : refuse(reply, page)
}

async function render(write: () => Promise<Text>): Promise<Rendered> {
  try {
    const { headers, text } = await write()
    return { outcome: 'finished', status: 200, headers, body: Buffer.from(text) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // A reader that asks every hour stops when it is told that there will be nothing any more.
    const { status, message, gone } = publicError(error)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    const body = Buffer.from(JSON.stringify({ success: false, error: message }))
    return { outcome: 'passing', status: gone ? 410 : status, headers, body }
  }
}

const refuse = (reply: FastifyReply, { status, headers, body }: Rendered) =>
  reply.code(status).headers(headers).send(body)
