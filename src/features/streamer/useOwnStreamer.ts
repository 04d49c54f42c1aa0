import { usePrivateQuery } from '#src/lib/privateQuery.ts'

/** Reads the streaming account of the logged-in user; null if the user may not stream. */
export const useOwnStreamer = (email: string) =>
  usePrivateQuery(['streamer', email], (client) => client.streamer.own.query())
