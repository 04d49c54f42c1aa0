import fc, { type Arbitrary } from 'fast-check'
import { type RawResponse, requestRaw } from '#tests/helpers/rawHttp.ts'
import type { FuzzContext } from './fuzzContext.ts'
import { checkResponse } from './responseChecks.ts'

/** A part of the site to fuzz: generates inputs for it and sends them. */
export type Target<Input> = {
  name: string
  inputs: (context: FuzzContext) => Arbitrary<Input>
  /** sends one input and returns the statuses of the responses */
  sendInput: (context: FuzzContext, input: Input) => Promise<number[]>
}

/** Number of responses per target and status. */
export type StatusCounts = Map<string, Map<number, number>>

/**
 * Sends a number of inputs to a target.
 * @throws Error with the smallest failing input and the seed that repeats it
 */
export async function fuzzTarget<Input>(
  context: FuzzContext,
  { name, inputs, sendInput }: Target<Input>,
  { runs, seed, statusCounts = new Map() }: { runs: number; seed: number; statusCounts?: StatusCounts },
): Promise<void> {
  const counts = statusCounts.get(name) ?? new Map<number, number>()
  statusCounts.set(name, counts)
  const property = fc.asyncProperty(inputs(context), async (input) => {
    for (const status of await sendInput(context, input)) counts.set(status, (counts.get(status) ?? 0) + 1)
  })
  // Stops after a minute, because shrinking a failing input sends many requests.
  const details = await fc.check(property, { numRuns: runs, seed, interruptAfterTimeLimit: 60_000 })
  if (!details.failed) return
  const { counterexamplePath, counterexample, errorInstance } = details
  const input = fc.stringify(counterexample?.[0])
  const short = input.length > 3000 ? `${input.slice(0, 1500)}…${input.slice(-1500)}` : input
  throw new Error(`${(errorInstance as Error).message}\nseed ${seed}, path ${counterexamplePath}, input: ${short}`, {
    cause: errorInstance,
  })
}

type Request = { method: string; path: string; lines: string[]; body?: Buffer; isCall?: boolean; sent?: string }

/** Sends a well-formed request, checks the response and returns its status. */
export async function send(context: FuzzContext, request: Request): Promise<number[]> {
  const { method, path, lines, body, isCall, sent = '' } = request
  // Replaces whitespace and null characters, which would make the request line malformed.
  const target = path.replaceAll(/[\s\0]/g, '+')
  // Sound and event streams never end, so only their head is checked.
  const headOnly = /site\.events|\/stream/.test(path)
  const answer: RawResponse = await requestRaw(context.origin, method, target, {
    lines,
    body,
    untilHead: headOnly,
    timeoutMs: 15_000,
  })
  checkResponse(context, headOnly ? { ...answer, body: Buffer.alloc(0) } : answer, { isCall, sent: sent + path })
  return [answer.status]
}

/** Request headers that must have no effect. */
export const anyHeaders: Arbitrary<string[]> = fc.subarray(
  [
    'Range: bytes=0-0,5-',
    'If-None-Match: "x", W/"y", *',
    'If-Modified-Since: never',
    'Accept: text/event-stream, */*;q=x',
    'Accept-Encoding: br;q=0, gzip;q=9, zstd, *',
    'X-Forwarded-For: 1.2.3.4, __proto__, [::1',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: javascript',
    'Origin: null',
    'Referer: //evil.example',
    'Cookie: a=b; __proto__=c',
    'Purpose: prefetch',
    'User-Agent: \xff\xfe',
    'Forwarded: for="[::1]"',
    'X-HTTP-Method-Override: DELETE',
    'trpc-accept: application/jsonl',
    'Last-Event-ID: x',
  ],
  { maxLength: 4 },
)
