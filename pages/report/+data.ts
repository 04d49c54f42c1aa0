import type { PageContextServer } from 'vike/types'
import { threadPath } from '#src/contract/thread.ts'

export type Data = Awaited<ReturnType<typeof data>>

const FIELDS = ['url', 'post', 'reason', 'text'] as const
type Fields = Record<(typeof FIELDS)[number], string>

/** Creates the captcha on the server, so that the form works without script. */
export async function data({ api, urlParsed: { search }, submittedForm }: PageContextServer) {
  const given = submittedForm?.fields ?? search
  const fields = Object.fromEntries(FIELDS.map((name) => [name, given[name] ?? ''])) as Fields
  if (!fields.url && fields.post) fields.url = await urlOf(api, fields.post)
  const isSent = submittedForm?.refusal === null
  return {
    fields,
    isSent,
    refusal: submittedForm?.refusal ?? null,
    challenge: isSent ? null : await api.site.captcha().catch(() => null),
  }
}

/** Returns the URL of a post, whose own link has only its number; an empty text if there is no such post. */
async function urlOf(api: PageContextServer['api'], postId: string): Promise<string> {
  const post = await api.board.shownPost({ postId }).catch(() => null)
  return post ? `${threadPath(post.boardId, post.threadId)}#p${post.view.id}` : ''
}
