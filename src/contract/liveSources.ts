export type { ConnectedSourceView, LiveView } from './liveSourceAnswers.ts'

/** Path to which sources of a station connect. Programs that know only a mount use any path with one segment. */
export const sourcePath = (stationId: number) => `/radio/${stationId}/source`
/** Mount of the level test: it never goes on air. */
export const TEST_MOUNT = '/test'
