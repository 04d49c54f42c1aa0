import fc, { type Arbitrary } from 'fast-check'
import { ask, type WireAnswer } from '#tests/helpers/wire.ts'
import { judge } from './judge.ts'
import type { Stage } from './stage.ts'

/** One way in: what is guessed, and how it is tried. */
export type Target<Guess> = {
  name: string
  guesses: (stage: Stage) => Arbitrary<Guess>
  /** sends one guess; gives the statuses that came */
  attempt: (stage: Stage, guess: Guess) => Promise<number[]>
}

/** What a run has tried: how often each status came, by target. */
export type Tally = Map<string, Map<number, number>>

/**
 * Tries a number of guesses at one target.
 * @throws Error with the smallest guess that is answered wrongly, and the seed with which it comes again
 */
export async function tryTarget<Guess>(
  stage: Stage,
  { name, guesses, attempt }: Target<Guess>,
  { runs, seed, tally = new Map() }: { runs: number; seed: number; tally?: Tally },
): Promise<void> {
  const counts = tally.get(name) ?? new Map<number, number>()
  tally.set(name, counts)
  const property = fc.asyncProperty(guesses(stage), async (guess) => {
    for (const status of await attempt(stage, guess)) counts.set(status, (counts.get(status) ?? 0) + 1)
  })
  // Making a guess smaller is worth a while and no more: each step is a request.
  const details = await fc.check(property, { numRuns: runs, seed, interruptAfterTimeLimit: 60_000 })
  if (!details.failed) return
  const { counterexamplePath, counterexample, errorInstance } = details
  const guess = fc.stringify(counterexample?.[0])
  const short = guess.length > 3000 ? `${guess.slice(0, 1500)}…${guess.slice(-1500)}` : guess
  throw new Error(`${(errorInstance as Error).message}\nseed ${seed}, path ${counterexamplePath}, guess: ${short}`, {
    cause: errorInstance,
  })
}

type Request = { method: string; path: string; lines: string[]; body?: Buffer; isCall?: boolean; sent?: string }

/** Sends a request of a proper shape, judges the answer and gives its status. */
export async function send(stage: Stage, request: Request): Promise<number[]> {
  const { method, path, lines, body, isCall, sent = '' } = request
  // A line feed in a guess would end the head.
  const target = path.replaceAll(/[\s\0]/g, '+')
  // Sound and changes never end.
  const headOnly = /site\.live|\/stream/.test(path)
  const answer: WireAnswer = await ask(stage.origin, method, target, { lines, body, headOnly, withinMs: 15_000 })
  judge(stage, headOnly ? { ...answer, body: Buffer.alloc(0) } : answer, { isCall, sent: sent + path })
  return [answer.status]
}

/** Lines of a head nobody needs, and nothing may come of. */
export const anyLines: Arbitrary<string[]> = fc.subarray(
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
