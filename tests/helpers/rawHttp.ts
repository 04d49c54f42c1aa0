import { type IncomingHttpHeaders, request } from 'node:http'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** One request as it is given, its answer as it comes: nothing added, nothing unpacked. */
export function ask(
  origin: string,
  { path, method = 'GET', headers = {} }: { path: string; method?: string; headers?: Record<string, string> },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, headers, agent: false }, async (answer) => {
      const chunks = await answer.toArray().catch(reject)
      if (chunks) resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) })
    })
    sent.on('error', reject)
    sent.end()
  })
}
