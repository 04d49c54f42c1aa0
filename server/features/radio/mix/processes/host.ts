import { and, eq } from 'drizzle-orm'
import superjson from 'superjson'
import { job, liveHost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import type { Fetcher } from '#server/core/http/fetcher.ts'
import type { LiveSources } from '#server/features/radio/mix/createLive.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'

type Db = Pick<Services, 'db'>
export type Host = { process: string; url: string }

export const JOB_NAME = 'live-sources'

const isStation = eq(liveHost.stationId, STATION_ID)

/** Names the process that has the sources. */
export async function writeHost({ db }: Db, host: Host): Promise<void> {
  await db
    .insert(liveHost)
    .values({ stationId: STATION_ID, ...host })
    .onConflictDoUpdate({ target: liveHost.stationId, set: host })
}

/** @returns false if another process has the sources */
export async function deleteHost({ db }: Db, { process }: Host): Promise<boolean> {
  const deleted = await db
    .delete(liveHost)
    .where(and(isStation, eq(liveHost.process, process)))
    .returning({ process: liveHost.process })
  return deleted.length > 0
}

/** Lets any process run the job now. */
export async function endLease({ db }: Db): Promise<void> {
  await db.update(job).set({ leasedUntil: null }).where(eq(job.name, JOB_NAME))
}

/** Returns the process that had the sources last, also if it died; null after it closed. */
export async function readHost({ db }: Db): Promise<Host | null> {
  const [host] = await db.select({ process: liveHost.process, url: liveHost.url }).from(liveHost).where(isStation)
  return host ?? null
}

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
  const found = await read.catch(() => null)
  if (found?.status !== 200) throw errors.unavailable(refusal('radio.unavailable'))
  const answer = superjson.parse<Answer>(found.bytes.toString())
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
