import { streamerMessages } from '#src/contract/streamer.ts'

export default { error: streamerMessages.connection }
