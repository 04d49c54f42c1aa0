import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type SiteSwitch, SWITCHES } from '#src/contract/moderation.ts'
import { switchTexts } from '#src/contract/switches.ts'
import { isOn, type SwitchRow } from './liveSwitches.ts'

export type ActiveSwitches = ReadonlyMap<SiteSwitch, SwitchRow>

export async function activeSwitches({
  moderation,
  now,
}: Pick<Services, 'moderation' | 'now'>): Promise<ActiveSwitches> {
  const rows = await moderation.switches.get()
  return new Map(rows.filter((row) => isOn(row, now())).map((row) => [row.name, row]))
}

export const requiresProofs = async (services: Pick<Services, 'moderation' | 'now'>): Promise<boolean> =>
  (await activeSwitches(services)).has('proof-of-work')

/** Returns what visitors read about the switches that are on. */
export async function noticeTexts(services: Pick<Services, 'moderation' | 'now'>): Promise<string[]> {
  return describeSwitches(await activeSwitches(services))
}

/** A read-only site needs no further notices. */
export function describeSwitches(switches: Pick<ActiveSwitches, 'has'>): string[] {
  const names = SWITCHES.filter((name) => switches.has(name))
  return names
    .filter((name) => name === 'read-only' || !switches.has('read-only'))
    .map((name) => switchTexts[name].notice)
}

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
    if (switches.has(name) && isRefused(write)) throw errors.forbidden(switchTexts[name].refusal ?? '')
  }
}
