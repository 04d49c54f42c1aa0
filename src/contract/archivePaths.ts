export const downloadPath = (stationId: number, streamerId: number, broadcastId: number) =>
  `/api/radio/station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`

/** Podcast apps expect URLs that end like files. */
export const enclosurePath = (
  { stationId, streamerId, broadcastId }: { stationId: number; streamerId: number; broadcastId: number },
  extension: string,
) => `/archive/recording/${stationId}/${streamerId}/${broadcastId}.${extension}`
