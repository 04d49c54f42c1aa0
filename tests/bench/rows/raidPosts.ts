import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { Connection, encode } from '#tests/bench/connection.ts'
import { formPost, jsonPost, THREADS } from '#tests/bench/forms.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'

type Comment = { address: string; content: string; author?: string; solves?: boolean }

/** Posts a comment with a solved captcha. @returns the status */
export async function postComment(
  run: Run,
  site: Server,
  { address, content, author = 'writer', solves = false }: Comment,
): Promise<number> {
  const connection = new Connection(site.port)
  const visitor = { 'x-forwarded-for': address }
  try {
    const { body } = await connection.send(encode(jsonPost('/api/dtpchan/captcha', {}, visitor)))
    const { challengeId, question, proofOfWork: challenge } = JSON.parse(body.toString())
    if (!challengeId) return 429
    const fields: Record<string, string> = { challengeId, captchaAnswer: String(solveQuestion(question)) }
    if (solves && challenge) {
      const solution = await solveChallenge({ challenge, deriveKey, timeout: 300_000 })
      if (solution) fields.proofOfWork = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    }
    const path = `${THREADS}/${run.seeded.busy}/comments`
    const sent = await formPost(path, { content, author, ...fields }, visitor)
    return (await connection.send(encode(sent))).status
  } finally {
    connection.close()
  }
}
