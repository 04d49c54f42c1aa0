import { showLimits } from './show.ts'

export type { OwnStreamer, SourceConnection, StreamerView, StreamPassword } from './streamerAnswers.ts'

/** In characters. */
export const streamerNameLimits = { min: 2, max: showLimits.streamerName } as const

/** User name in the settings of programs. The password identifies the streamer. */
export const SOURCE_USER = 'source'
