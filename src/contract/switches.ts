import type { SiteSwitch } from './moderation.ts'
import { type Refusal, refusal } from './refusal.ts'

export type { SwitchView } from './switchAnswers.ts'

/** The answers to writes that a switch refuses. */
export const switchRefusals: Partial<Record<SiteSwitch, Refusal>> = {
  'text-only': refusal('switch.textOnlyRefusal'),
  'members-threads': refusal('switch.membersThreadsRefusal'),
  'uploads-off': refusal('switch.uploadsOff'),
  'pastes-off': refusal('switch.pastesOff'),
  'read-only': refusal('switch.readOnlyRefusal'),
}

/** Why posts are held, as moderators read it. */
export const heldForTexts = {
  switch: 'All new posts are held',
  unsolved: 'No proof of work',
  repeated: 'Raid: resembles other posts',
  raid: 'Raid: unknown network',
  image: 'looks like a blocked image',
} as const

/** Why recent posts are held, as the public log shows it. */
export const raidReason = 'Posts of a raid wait for a review'
