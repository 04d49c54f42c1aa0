import { showLimits } from './show.ts'

export type { OwnStreamer, SourceConnection, StreamerView, StreamPassword } from './streamerAnswers.ts'

/** In characters. */
export const streamerNameLimits = { min: 2, max: showLimits.streamerName } as const

/** User name in the settings of programs. The password identifies the streamer. */
export const SOURCE_USER = 'source'

export const streamerMessages = {
  name: `A streamer's name has ${streamerNameLimits.min} to ${streamerNameLimits.max} characters`,
  nameTaken: 'Another streamer has this name, or one that looks like it',
  nameReserved: 'This name could be mistaken for the site or its staff',
  change: 'Give a name, or say whether the account is disabled',
  disabledFlag: 'Say whether the account is disabled: true or false',
  exists: 'This user may already stream',
  notStreamer: 'This user may not stream',
  ownMissing: 'You may not stream on this site',
  ownDisabled: 'Your streaming account is disabled',
  failed: 'Failed to change the streaming account',
} as const
