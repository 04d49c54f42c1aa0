import { and, eq, lte, ne, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { siteSwitch } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { type LogActor, moderatorActor, siteActor, writeLog } from '#server/features/moderation/log/log.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import { type SiteSwitch, SWITCHES, type SwitchView, switchInput, switchSchema } from '#src/contract/switches.ts'

type Reader = Pick<Services, 'moderation' | 'now'>
type ActiveSwitches = ReadonlyMap<SiteSwitch, SwitchRow>
export type SwitchRow = typeof siteSwitch.$inferSelect

export async function activeSwitches({ moderation, now }: Reader): Promise<ActiveSwitches> {
  const rows = await moderation.switches()
  return new Map(rows.filter((row) => isOn(row, now())).map((row) => [row.name, row]))
}

const isOn = ({ until }: SwitchRow, now: Date): boolean => until === null || until > now

export const requiresProofs = async (services: Reader): Promise<boolean> =>
  (await activeSwitches(services)).has('proof-of-work')

/** Returns the switches that are on and that visitors read of. */
export const readNotice = async (services: Reader): Promise<SiteSwitch[]> => noticeOf(await activeSwitches(services))

/** A read-only site needs no further notices. */
const noticeOf = (switches: Pick<ActiveSwitches, 'has'>): SiteSwitch[] =>
  switches.has('read-only') ? ['read-only'] : SWITCHES.filter((name) => switches.has(name))

export type Write = {
  kind: 'thread' | 'comment' | 'paste' | 'image' | 'song-request'
  hasImage: boolean
  isMember: boolean
}

/** Says for each switch which writes it refuses, and with which text. Exported for tests. */
export const SWITCH_RULES: { [name in SiteSwitch]?: { refusal: Refusal; refuses: (write: Write) => boolean } } = {
  'read-only': { refusal: refusal('switch.readOnlyRefusal'), refuses: ({ isMember }) => !isMember },
  'pastes-off': { refusal: refusal('switch.pastesOff'), refuses: ({ kind }) => kind === 'paste' },
  'members-threads': {
    refusal: refusal('switch.membersThreadsRefusal'),
    refuses: ({ kind, isMember }) => kind === 'thread' && !isMember,
  },
  'text-only': {
    refusal: refusal('switch.textOnlyRefusal'),
    refuses: ({ kind, hasImage }) => (kind === 'thread' || kind === 'comment') && hasImage,
  },
  'uploads-off': { refusal: refusal('switch.uploadsOff'), refuses: ({ hasImage }) => hasImage },
}

/** Admins and the board's moderators are exempt. @throws AppError 403 if a switch refuses the write */
export function rejectBySwitches(switches: Pick<ActiveSwitches, 'has'>, write: Write): void {
  for (const [name, rule] of Object.entries(SWITCH_RULES))
    if (switches.has(name as SiteSwitch) && rule.refuses(write)) throw errors.forbidden(rule.refusal)
}

/**
 * Logs changes of switches, shows the notice in open pages, reloads the switches in all processes, and marks all pages
 * stale.
 */
export async function announceSwitches(
  tx: Transaction,
  now: Date,
  changed: { name: SiteSwitch; on: boolean; actor: LogActor }[],
): Promise<void> {
  for (const { name, on, actor } of changed)
    await writeLog(tx, now, { action: on ? 'switch-on' : 'switch-off', actor, boardId: null, itemId: name })
  const rows = await tx.select().from(siteSwitch)
  const switches = noticeOf(new Set(rows.filter((row) => isOn(row, now)).map(({ name }) => name)))
  await publish(tx, now, [
    { topic: 'moderation', change: { kind: 'switches' } },
    { topic: 'site', change: { kind: 'notice', switches } },
  ])
}

const isOver = (now: Date) => sql`coalesce(${siteSwitch.until} <= ${now.toISOString()}::timestamptz, false)`

const turnOn = (tx: Transaction, name: SiteSwitch, now: Date) =>
  tx
    .insert(siteSwitch)
    .values({ name, since: now })
    .onConflictDoUpdate({
      target: siteSwitch.name,
      // Keeps `since` if the switch is on, so that it still tells regulars from visitors who came with the raid.
      set: { since: sql`case when ${isOver(now)} then excluded.since else ${siteSwitch.since} end`, until: null },
      setWhere: sql`${siteSwitch.until} is not null`,
    })
    .returning()

/** Ends proofs of work at the time they began: this marks the row, so that the raid detection pauses. */
function turnOff(tx: Transaction, name: SiteSwitch, now: Date) {
  const isNamed = and(eq(siteSwitch.name, name), sql`not ${isOver(now)}`)
  return name === 'proof-of-work'
    ? tx.update(siteSwitch).set({ since: now, until: now }).where(isNamed).returning()
    : tx.delete(siteSwitch).where(isNamed).returning()
}

/** Returns the query of the time at which the next switch turns itself off. */
export const nextSwitchEnd = (): SQL =>
  sql`select min(${siteSwitch.until}) from ${siteSwitch} where ${siteSwitch.until} <> ${siteSwitch.since}`

/** Announces and logs the end of switches that turned themselves off. */
export async function endSwitches({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now()
  await db.transaction(async (tx) => {
    const isEnded = and(lte(siteSwitch.until, at), ne(siteSwitch.until, siteSwitch.since))
    const ended = await tx.delete(siteSwitch).where(isEnded).returning()
    const changed = ended.map(({ name }) => ({ name, on: false, actor: siteActor }))
    if (ended.length > 0) await announceSwitches(tx, at, changed)
  })
}

async function listSwitches({ db, now }: Pick<Services, 'db' | 'now'>): Promise<SwitchView[]> {
  const rows = await db.select().from(siteSwitch)
  return SWITCHES.map((name) => {
    const row = rows.find((row) => row.name === name && isOn(row, now()))
    return { name, since: row?.since ?? null, until: row?.until ?? null }
  })
}

const PATH = '/api/moderation/switches'
const answer = z.object({ switches: z.array(switchSchema) })

export const switchRouter = router({
  list: documented(
    adminProcedure.query(({ ctx }) => listSwitches(ctx)),
    { path: PATH, summary: 'Lists the switches of the site', answer },
  ),
  set: documented(
    // Logs nothing if the switch already is so.
    adminProcedure.input(switchInput).mutation(async ({ ctx, input: { name: given, on } }) => {
      const name = SWITCHES.find((one) => one === given)
      if (!name) throw errors.notFound(refusal('moderation.switchName'))
      const now = ctx.now()
      await writeAndPublish(ctx, async (tx) => {
        const changed = await (on ? turnOn : turnOff)(tx, name, now)
        if (changed.length > 0) await announceSwitches(tx, now, [{ name, on, actor: moderatorActor(ctx.user) }])
      })
      return listSwitches(ctx)
    }),
    { method: 'PUT', path: `${PATH}/:name`, summary: 'Turns a switch on or off', answer },
  ),
})
