import { answerOf } from '#tests/helpers/calls.ts'
import { still } from '#tests/helpers/pictures.ts'
import { ADMIN, json, openThread, post } from '#tests/helpers/process.ts'

/** A running site with something in it, and what a guess needs to get past its first refusals. */
export type Stage = {
  origin: string
  /** what the process has printed */
  output: () => string
  /** where it keeps its data: nothing of that path may be told */
  dataDir: string
  token: string
  picture: Buffer
  /** ids and addresses of what there is */
  known: { boardId: string; threadId: string; commentId: string; pasteId: string; shareId: string; upload: string }
  /** a solved challenge */
  solve: () => Promise<{ challengeId: string; captchaAnswer: string }>
}

/** Fills a site with a board, a thread, a comment with a picture, a paste and a shared image. */
export async function prepare(site: Pick<Stage, 'origin' | 'output' | 'dataDir'>): Promise<Stage> {
  const { origin } = site
  const asJson = (path: string, body: object) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(json)
  const solve = async () => {
    const { challengeId, question } = await asJson('/api/dtpchan/captcha', {})
    return { challengeId, captchaAnswer: String(answerOf(question)) }
  }
  const { token } = await asJson('/api/dtpchan/admin/login', ADMIN)
  const { threads, threadId } = await openThread(origin, 'Fuzz')
  const picture = await still(40, 30).png().toBuffer()
  const image = new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' })
  const { comment } = await post(origin, `${threads}/${threadId}/comments`, { content: 'text', image })
  const paste = await asJson('/api/paste', { content: 'text', expiryHours: 24 })
  const share = await post(origin, '/api/image-share', { image, expiryHours: '24' })
  const lastOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''
  return {
    ...site,
    token,
    picture,
    known: {
      boardId: threads.split('/').at(-2) ?? '',
      threadId: String(threadId),
      commentId: String(comment.id),
      pasteId: lastOf(paste.url),
      shareId: lastOf(share.url),
      upload: comment.image,
    },
    solve,
  }
}
