import superjson from 'superjson'
import { AppError, errors } from '#server/core/errors.ts'
import type { Fetcher } from '#server/core/http/fetcher.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import type { Host } from './hostRow.ts'

export const CALL_PATH = '/internal/live/call'

/** Calls about sources, which only the process that has them can answer. */
const NAMES = ['sources', 'takeOver', 'disconnect', 'setTitle', 'addRefused', 'refused'] as const
export type HostCalls = Pick<LiveSources, (typeof NAMES)[number]>

export type HostCall = <Name extends keyof HostCalls>(
  name: Name,
  ...args: Parameters<HostCalls[Name]>
) => Promise<ReturnType<HostCalls[Name]>>

/** Limits the wait for a process that hangs. */
const TIMEOUT_MS = 3000
const MAX_BYTES = 1024 * 1024

type Answer = { value: unknown } | { code: AppError['code']; refusal: Refusal }

export function callLocally(live: HostCalls, name: keyof HostCalls, args: unknown[]): unknown {
  return (live[name] as (...args: unknown[]) => unknown)(...args)
}

/** @throws AppError of the other process, or 503 if it does not answer */
export async function callRemotely(
  { fetcher }: { fetcher: Pick<Fetcher, 'read'> },
  { url }: Host,
  authorization: string,
  name: keyof HostCalls,
  args: unknown[],
): Promise<unknown> {
  const read = fetcher.read(new URL(CALL_PATH, url), {
    body: Buffer.from(superjson.stringify({ name, args })),
    headers: { authorization, 'content-type': 'application/json' },
    totalMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    trusts: () => true,
  })
  const { status, bytes } = await read.catch(() => {
    throw errors.unavailable(refusal('radio.unavailable'))
  })
  if (status !== 200) throw errors.unavailable(refusal('radio.unavailable'))
  const answer = superjson.parse<Answer>(bytes.toString())
  if ('value' in answer) return answer.value
  throw new AppError(answer.code, answer.refusal)
}

/** Runs a call of another process. @returns the body of the answer */
export function answerCall(live: HostCalls, body: unknown): string {
  const { name, args } = superjson.deserialize<{ name: keyof HostCalls; args: unknown[] }>(body as never)
  if (!NAMES.includes(name)) throw errors.badRequest(refusal('failure.noCall'))
  try {
    return superjson.stringify({ value: callLocally(live, name, args) } satisfies Answer)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return superjson.stringify({ code: error.code, refusal: error.refusal } satisfies Answer)
  }
}
