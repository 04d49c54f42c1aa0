export const downloadPath = (stationId: number, streamerId: number, broadcastId: number) =>
  `/api/radio/station/${stationId}/streamer/${streamerId}/broadcast/${broadcastId}/download`
