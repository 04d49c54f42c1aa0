export const downloadPath = (stationId: number, streamerId: number, broadcastId: number) =>
  `/api/radio/station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`

/** Id of a broadcast's row on the page. */
export const broadcastAnchor = (broadcastId: number) => `broadcast-${broadcastId}`

/** The archive, opened at a broadcast. */
export const broadcastPath = (streamerId: number, broadcastId: number) =>
  `/archive?streamer=${streamerId}#${broadcastAnchor(broadcastId)}`

/** Podcast apps expect URLs that end like files. */
export const enclosurePath = (
  { stationId, streamerId, broadcastId }: { stationId: number; streamerId: number; broadcastId: number },
  extension: string,
) => `/archive/recording/${stationId}/${streamerId}/${broadcastId}.${extension}`
