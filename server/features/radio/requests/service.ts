import type { Context, Services } from '#server/core/context.ts'
import type { FoundTrack, SongRequestView } from '#src/contract/songRequest.ts'

/** `visitor` is missing for requests from IRC. */
export type RequestContext = Pick<Services, 'db' | 'cache' | 'config' | 'secrets' | 'moderation' | 'radio' | 'now'> &
  Partial<Pick<Context, 'visitor'>>

/** Of a query, the best match is requested. */
export type RequestedSong = ({ trackId: number } | { query: string }) & {
  source: 'web' | 'irc'
  /** IP address of the visitor, or network and host of the IRC user. Only keyed hashes of it are stored. */
  requester: string
  /** members may request songs while the site is read-only */
  isMember: boolean
}

/**
 * Finds tracks of the station's library by words of artist and title, best match first. An empty query lists tracks by
 * name.
 * @throws AppError 404 if the station takes no requests
 */
export declare function findTracks(ctx: RequestContext, query: string, limit: number): Promise<FoundTrack[]>

/**
 * Adds a track to the queue.
 * @throws AppError 403 while the site is read-only, 404 if the station takes no requests or there is no such track, 409
 * if the track waits already or was requested lately, or if the queue is full, 429 for too many requests of a requester.
 * The messages are in `songRequestMessages` and can be shown as they are.
 */
export declare function requestSong(ctx: RequestContext, song: RequestedSong): Promise<SongRequestView>

/** Returns the waiting requests in the order of play. */
export declare function listRequests(ctx: RequestContext): Promise<SongRequestView[]>
