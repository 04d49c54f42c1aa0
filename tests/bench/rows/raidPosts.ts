import { Connection, encode } from '#tests/bench/connection.ts'
import { formPost, jsonPost, THREADS } from '#tests/bench/forms.ts'
import type { Run } from '#tests/bench/run.ts'
import type { Server } from '#tests/bench/servers.ts'
import { solveQuestion } from '#tests/helpers/apiCalls.ts'
import type { RaidSolver } from './raidSolver.ts'

type Comment = { address: string; content: string; author?: string; solver?: RaidSolver }

/** Posts a comment with a solved captcha. @returns the status */
export async function postComment(
  run: Run,
  site: Server,
  { address, content, author = 'writer', solver }: Comment,
): Promise<number> {
  const connection = new Connection(site.port)
  const visitor = { 'x-forwarded-for': address }
  try {
    const { body } = await connection.send(encode(jsonPost('/api/dtpchan/captcha', {}, visitor)))
    const { challengeId, question, proofOfWork: challenge } = JSON.parse(body.toString())
    if (!challengeId) return 429
    const fields: Record<string, string> = { challengeId, captchaAnswer: String(solveQuestion(question)) }
    if (solver && challenge) fields.proofOfWork = await solver.solve(challenge)
    const path = `${THREADS}/${run.seeded.busy}/comments`
    const sent = await formPost(path, { content, author, ...fields }, visitor)
    return (await connection.send(encode(sent))).status
  } finally {
    connection.close()
  }
}
