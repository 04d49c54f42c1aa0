import type { SiteSwitch } from './moderation.ts'

export type { SwitchView } from './switchAnswers.ts'

export type SwitchTexts = {
  /** shown to all visitors while the switch is on */
  notice: string
  /** the answer to a refused write; null if the switch refuses nothing */
  refusal: string | null
}

export const switchTexts: Record<SiteSwitch, SwitchTexts> = {
  'text-only': {
    notice: 'Posts are text only at the moment.',
    refusal: 'Posts are text only at the moment. Please post without an image.',
  },
  'hold-posts': {
    notice: 'A moderator reviews new posts before they appear.',
    refusal: null,
  },
  'proof-of-work': {
    notice: 'The boards are busy. Your browser solves a puzzle before each post, and some posts wait for review.',
    refusal: null,
  },
  'members-threads': {
    notice: 'Only members can create threads at the moment. Everyone can comment.',
    refusal: 'Only members can create threads at the moment.',
  },
  'uploads-off': {
    notice: 'Images cannot be uploaded at the moment.',
    refusal: 'Images cannot be uploaded at the moment.',
  },
  'pastes-off': {
    notice: 'Pastes cannot be created at the moment.',
    refusal: 'Pastes cannot be created at the moment.',
  },
  'read-only': {
    notice: 'The site is read-only at the moment.',
    refusal: 'The site is read-only at the moment. Please try again later.',
  },
}

/** Why posts are held, as moderators read it. */
export const heldForTexts = {
  switch: 'All new posts are held',
  unsolved: 'No proof of work',
  repeated: 'Raid: resembles other posts',
  raid: 'Raid: unknown network',
  image: 'looks like a blocked image',
} as const

/** The answer to posts that would wait for a review during a raid, if too many wait. */
export const MANY_REVIEWS = 'There are too many new posts at the moment. Please try again in a few minutes.'

/** Why recent posts are held, as the public log shows it. */
export const raidReason = 'Posts of a raid wait for a review'
