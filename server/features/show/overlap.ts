import { ne } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { show } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors, formatUtc } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ShowTiming } from '#src/contract/show.ts'
import { listOccurrences } from './occurrences.ts'
import { isOnSchedule, readTimings } from './service.ts'

const YEAR_MS = 366 * 24 * 60 * 60 * 1000

type Span = { startsAt: Date; endsAt: Date }

/** Returns the start of the first common time of two lists, which are both in order and without overlaps, or null. */
export function findCommonTime(first: Span[], second: Span[]): Date | null {
  let [left, right] = [0, 0]
  for (;;) {
    const [a, b] = [first[left], second[right]]
    if (!a || !b) return null
    if (a.endsAt <= b.startsAt) left++
    else if (b.endsAt <= a.startsAt) right++
    else return a.startsAt > b.startsAt ? a.startsAt : b.startsAt
  }
}

/**
 * The station has one microphone: rejects a show that overlaps with another one within the next year.
 * @param id of the show, if it exists already
 * @throws AppError 409 with the title of the other show
 */
export async function rejectOverlap(
  { now }: Pick<Context, 'now'>,
  db: Database | Transaction,
  timing: ShowTiming,
  id?: number,
): Promise<void> {
  const from = now()
  const to = new Date(from.getTime() + YEAR_MS)
  const own = listOccurrences(timing, from, to)
  if (own.length === 0) return
  const others = await readTimings(db, isOnSchedule(from, id === undefined ? undefined : ne(show.id, id)))
  for (const { title, ...other } of others) {
    const at = findCommonTime(own, listOccurrences(other, from, to))
    if (at) throw errors.conflict(refusal('show.overlaps', { title, date: formatUtc(at) }))
  }
}
