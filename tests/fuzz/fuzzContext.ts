import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import { stillImage } from '#tests/helpers/sampleImages.ts'
import { createBoardWithThread, postForm } from '#tests/helpers/siteClient.ts'
import { ADMIN, readJson } from '#tests/helpers/siteProcess.ts'

/** A running site with content, and the values that valid requests need. */
export type FuzzContext = {
  origin: string
  /** returns the output of the server process so far */
  output: () => string
  /** responses must not contain this path */
  dataDir: string
  token: string
  imageBytes: Buffer
  /** ids and URLs of existing content */
  known: { boardId: string; threadId: string; commentId: string; pasteId: string; shareId: string; upload: string }
  /** creates and solves a captcha */
  solve: () => Promise<{ challengeId: string; captchaAnswer: string }>
}

/** Creates a board, a thread, a comment with an image, a paste and a shared image. */
export async function createFuzzContext(
  site: Pick<FuzzContext, 'origin' | 'output' | 'dataDir'>,
): Promise<FuzzContext> {
  const { origin } = site
  const asJson = (path: string, body: object) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(readJson)
  const solve = async () => {
    const { challengeId, question } = await asJson('/api/dtpchan/captcha', {})
    return { challengeId, captchaAnswer: String(solveQuestion(question)) }
  }
  const { token } = await asJson('/api/dtpchan/admin/login', ADMIN)
  const { threads, threadId } = await createBoardWithThread(origin, 'Fuzz')
  const imageBytes = await stillImage(40, 30).png().toBuffer()
  const image = new File([new Uint8Array(imageBytes)], 'a.png', { type: 'image/png' })
  const { comment } = await postForm(origin, `${threads}/${threadId}/comments`, { content: 'text', image })
  const paste = await asJson('/api/paste', { content: 'text', expiryHours: 24 })
  const share = await postForm(origin, '/api/image-share', { image, expiryHours: '24' })
  const lastOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''
  return {
    ...site,
    token,
    imageBytes,
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
