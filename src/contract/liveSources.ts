export type { ConnectedSourceView, LiveView } from './liveSourceAnswers.ts'

/** Path to which sources of a station connect. Programs that know only a mount use any path with one segment. */
export const sourcePath = (stationId: number) => `/radio/${stationId}/source`
/** Mount of the level test: it never goes on air. */
export const TEST_MOUNT = '/test'

export const liveSourceMessages = {
  loginRequired: 'You must be logged in to see live sources',
  password: 'The streaming password is wrong, or the account may not stream',
  notFound: 'This source is not connected',
  isTest: 'A source on the test mount never goes on air',
  full: 'Too many sources are connected at the moment',
  type: 'Send MP3, AAC, or Ogg with Opus, Vorbis or FLAC, and its media type as Content-Type',
  service: 'The radio service of this site accepts sources, not this site: ask the operator for its address',
  noSource: 'Source does not exist',
  noTitle: 'Send mode=updinfo and a song or a title',
  titleSet: 'Metadata update successful',
} as const
