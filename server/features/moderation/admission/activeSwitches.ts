import type { Database, Transaction } from '#db/client.server.ts'
import { siteSwitch } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { type LogActor, writeLog } from '#server/features/moderation/log/log.ts'
import { type SiteSwitch, SWITCHES, switchRefusals } from '#src/contract/switches.ts'

export type ActiveSwitches = ReadonlyMap<SiteSwitch, SwitchRow>

export async function activeSwitches({
  moderation,
  now,
}: Pick<Services, 'moderation' | 'now'>): Promise<ActiveSwitches> {
  const rows = await moderation.switches()
  return new Map(rows.filter((row) => isOn(row, now())).map((row) => [row.name, row]))
}

export const requiresProofs = async (services: Pick<Services, 'moderation' | 'now'>): Promise<boolean> =>
  (await activeSwitches(services)).has('proof-of-work')

/** Returns the switches that are on and that visitors read of. */
export async function readNotice(services: Pick<Services, 'moderation' | 'now'>): Promise<SiteSwitch[]> {
  return noticeOf(await activeSwitches(services))
}

/** A read-only site needs no further notices. */
const noticeOf = (switches: Pick<ActiveSwitches, 'has'>): SiteSwitch[] =>
  switches.has('read-only') ? ['read-only'] : SWITCHES.filter((name) => switches.has(name))

export type Write = {
  kind: 'thread' | 'comment' | 'paste' | 'image' | 'song-request'
  hasImage: boolean
  isMember: boolean
}

/** The writes that each switch refuses. Admins and the board's moderators are exempt. */
const refuses: Partial<Record<SiteSwitch, (write: Write) => boolean>> = {
  'read-only': ({ isMember }) => !isMember,
  'pastes-off': ({ kind }) => kind === 'paste',
  'members-threads': ({ kind, isMember }) => kind === 'thread' && !isMember,
  'text-only': ({ kind, hasImage }) => (kind === 'thread' || kind === 'comment') && hasImage,
  'uploads-off': ({ hasImage }) => hasImage,
}

/** @throws AppError 403 if a switch refuses the write */
export function rejectBySwitches(switches: ActiveSwitches, write: Write): void {
  for (const [name, isRefused] of Object.entries(refuses) as [SiteSwitch, (write: Write) => boolean][]) {
    const refusal = switchRefusals[name]
    if (refusal && switches.has(name) && isRefused(write)) throw errors.forbidden(refusal)
  }
}

export type SwitchRow = typeof siteSwitch.$inferSelect

export const loadSwitches = async (db: Database): Promise<SwitchRow[]> => db.select().from(siteSwitch)

export const isOn = ({ until }: SwitchRow, now: Date): boolean => until === null || until > now

/** Reloads the switches in all processes, marks all pages stale, and shows the notice in open pages. */
export async function publishSwitches(tx: Transaction, now: Date): Promise<void> {
  const rows = await tx.select().from(siteSwitch)
  const switches = noticeOf(new Set(rows.filter((row) => isOn(row, now)).map(({ name }) => name)))
  await publish(tx, now, [
    { topic: 'moderation', change: { kind: 'switches' } },
    { topic: 'site', change: { kind: 'notice', switches } },
  ])
}

export const logSwitch = (tx: Transaction, now: Date, name: SiteSwitch, on: boolean, actor: LogActor) =>
  writeLog(tx, now, { action: on ? 'switch-on' : 'switch-off', actor, boardId: null, itemId: name })
