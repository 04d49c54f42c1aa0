import type { PageContextServer } from 'vike/types'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

const FIELDS = ['url', 'post', 'reason', 'text'] as const
type Fields = Record<(typeof FIELDS)[number], string>

/** Creates the captcha on the server, so that the form works without script. */
export async function data({ api, urlParsed: { search }, submittedForm }: PageContextServer) {
  const given = submittedForm?.fields ?? search
  const fields = Object.fromEntries(FIELDS.map((name) => [name, given[name] ?? ''])) as Fields
  let refusal = submittedForm?.refusal?.text ?? null
  // Links in posts have only the number. The post may be gone by now.
  if (!fields.url && fields.post) {
    const post = await api.board.shownPost({ postId: fields.post }).catch(() => undefined)
    if (post) fields.url = `${threadPath(post.boardId, post.threadId)}#p${post.view.id}`
    else if (post === null) refusal ??= t('moderation.postNotFound')
  }
  const isSent = submittedForm?.refusal === null
  return {
    fields,
    isSent,
    refusal,
    challenge: isSent ? null : await api.site.captcha().catch(() => null),
  }
}
