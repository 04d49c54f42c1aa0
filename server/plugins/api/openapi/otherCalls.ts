import { z } from 'zod'
import type { RestRoute } from '#server/core/rpc/restRoute.ts'
import { SHARE_TARGET } from '#server/features/site/webManifest.ts'
import { CALENDAR_PATH } from '#src/contract/show.ts'

/** The documented part of a call. */
export type DocumentedCall = Pick<
  RestRoute,
  | 'method'
  | 'path'
  | 'summary'
  | 'answer'
  | 'sends'
  | 'access'
  | 'statuses'
  | 'input'
  | 'headers'
  | 'bytesField'
  | 'queryFields'
  | 'formPage'
>

const file = (
  path: `/${string}`,
  summary: string,
  sends: Record<string, string>,
  statuses?: Record<number, string>,
): DocumentedCall => ({ method: 'GET', path, summary, sends, statuses, input: null })

const IMAGES = {
  'image/jpeg': 'the image',
  'image/png': 'the image',
  'image/gif': 'the image',
  'image/webp': 'the image',
}
const RANGES = { 206: 'The requested range', 416: 'The range is not in the file' }
const UNCHANGED = { 304: 'Unchanged since the version of `If-None-Match`' }

/** Documented calls outside the REST table: their routes send files. */
export const otherCalls: DocumentedCall[] = [
  file('/api/openapi.json', 'Reads this document', { 'application/json': 'the document' }, UNCHANGED),
  file('/dtpchan/uploads/:filename', 'Reads the file of an image', IMAGES, {
    ...RANGES,
    ...UNCHANGED,
    410: 'The image was taken down',
  }),
  file(
    '/dtpchan/board/:boardId/thread/:threadId/preview.jpg',
    "Reads a thread's image for link previews, 1200 × 630",
    { 'image/jpeg': 'the image' },
    { ...UNCHANGED, 410: 'The thread was deleted' },
  ),
  file('/og.png', "Reads the site's image for link previews, 1200 × 630", { 'image/png': 'the image' }, UNCHANGED),
  file('/manifest.webmanifest', 'Reads the web app manifest', { 'application/manifest+json': 'the manifest' }),
  file('/api/radio/art/:key', 'Reads a cover of up to 512 × 512 pixels, under the URL that `song.art` gives', IMAGES),
  file('/api/radio/art/:key/small', 'Reads a cover of up to 128 × 128 pixels', IMAGES),
  file('/radio/:stationId/stream', 'Sends the endless stream of a station', { 'audio/*': 'the stream' }),
  file(
    CALENDAR_PATH,
    'Reads the schedule of the next 26 weeks as an iCalendar feed',
    { 'text/calendar': 'the calendar' },
    UNCHANGED,
  ),
  file(
    '/api/radio/station/:stationId/streamer/:streamerId/broadcast/:broadcastId/download',
    'Downloads the recording of a broadcast as `streamer_dd-mm-yyyy.mp3`',
    { 'audio/mpeg': 'the recording' },
    RANGES,
  ),
  {
    method: 'POST',
    path: SHARE_TARGET,
    summary:
      'Takes what an app shares with the installed site, and answers the form of a paste with the text, or of image sharing. Stores nothing.',
    sends: { 'text/html': 'the page of the form' },
    statuses: { 303: 'To the form, if nothing was shared' },
    input: z.object(Object.fromEntries(['title', 'text', 'url'].map((name) => [name, z.string().optional()]))),
  },
]
