import { and, eq, lte, ne, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#db/client.server.ts'
import { siteSwitch } from '#db/schema/index.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { adminProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { isOn, logSwitch, publishSwitches } from '#server/features/moderation/admission/activeSwitches.ts'
import { moderatorActor, siteActor } from '#server/features/moderation/log/log.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type SiteSwitch, SWITCHES, type SwitchView, switchInput, switchSchema } from '#src/contract/switches.ts'

async function listSwitches({ db, now }: Context): Promise<SwitchView[]> {
  const rows = await db.select().from(siteSwitch)
  return SWITCHES.map((name) => {
    const row = rows.find((row) => row.name === name && isOn(row, now()))
    return { name, since: row?.since ?? null, until: row?.until ?? null }
  })
}

async function turnOn(tx: Transaction, name: SiteSwitch, now: Date): Promise<boolean> {
  const rows = await tx
    .insert(siteSwitch)
    .values({ name, since: now })
    .onConflictDoUpdate({
      target: siteSwitch.name,
      // Keeps `since` if the switch is on, so that it still tells regulars from visitors who came with the raid.
      set: { since: sql`case when ${isOver(now)} then excluded.since else ${siteSwitch.since} end`, until: null },
      setWhere: sql`${siteSwitch.until} is not null`,
    })
    .returning()
  return rows.length > 0
}

/** Ends proofs of work at the time they began: this marks the row, so that the raid detection pauses. */
async function turnOff(tx: Transaction, name: SiteSwitch, now: Date): Promise<boolean> {
  const isNamed = and(eq(siteSwitch.name, name), sql`not ${isOver(now)}`)
  const rows =
    name === 'proof-of-work'
      ? await tx.update(siteSwitch).set({ since: now, until: now }).where(isNamed).returning()
      : await tx.delete(siteSwitch).where(isNamed).returning()
  return rows.length > 0
}

const isOver = (now: Date) => sql`coalesce(${siteSwitch.until} <= ${now.toISOString()}::timestamptz, false)`

/** Returns the query of the time at which the next switch turns itself off. */
export const nextSwitchEnd = (): SQL =>
  sql`select min(${siteSwitch.until}) from ${siteSwitch} where ${siteSwitch.until} <> ${siteSwitch.since}`

/** Announces and logs the end of switches that turned themselves off. */
export async function endSwitches({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now()
  await db.transaction(async (tx) => {
    const ended = await tx
      .delete(siteSwitch)
      .where(and(lte(siteSwitch.until, at), ne(siteSwitch.until, siteSwitch.since)))
      .returning()
    for (const { name } of ended) await logSwitch(tx, at, name, false, siteActor)
    if (ended.length > 0) await publishSwitches(tx, at)
  })
}

const PATH = '/api/moderation/switches'

const answer = z.object({ switches: z.array(switchSchema) })

export const switchRouter = router({
  list: documented(
    adminProcedure.query(({ ctx }) => listSwitches(ctx)),
    { method: 'GET', path: PATH, summary: 'Lists the switches of the site', answer },
  ),
  set: documented(
    // Logs nothing if the switch already is so.
    adminProcedure.input(switchInput).mutation(async ({ ctx, input: { name: given, on } }) => {
      const name = SWITCHES.find((one) => one === given)
      if (!name) throw errors.notFound(refusal('moderation.switchName'))
      const now = ctx.now()
      await writeAndPublish(ctx, async (tx) => {
        const hasChanged = on ? await turnOn(tx, name, now) : await turnOff(tx, name, now)
        if (!hasChanged) return
        await logSwitch(tx, now, name, on, moderatorActor(ctx.user))
        await publishSwitches(tx, now)
      })
      return listSwitches(ctx)
    }),
    { method: 'PUT', path: `${PATH}/:name`, summary: 'Turns a switch on or off', answer },
  ),
})
