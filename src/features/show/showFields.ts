import { SHOWS_CALL, type ShowView } from '#src/contract/show.ts'
import { postForm } from '#src/lib/upload.ts'

const HOUR_MINUTES = 60

/** The values of the form's controls. */
export type ShowFields = Record<
  'title' | 'description' | 'isWeekly' | 'firstDay' | 'startTime' | 'minutes' | 'zone' | 'lastDay' | 'streamer',
  string
>

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const toFields = (show: ShowView | undefined, streamer: string): ShowFields =>
  show
    ? {
        title: show.title,
        description: show.description,
        isWeekly: String(show.isWeekly),
        firstDay: show.firstDay,
        startTime: show.startTime,
        minutes: String(show.minutes),
        zone: show.zone,
        lastDay: show.lastDay ?? '',
        streamer: show.streamer,
      }
    : {
        title: '',
        description: '',
        isWeekly: 'true',
        firstDay: '',
        startTime: '20:00',
        minutes: String(2 * HOUR_MINUTES),
        zone: ownZone(),
        lastDay: '',
        streamer,
      }

/** The browser's zones. Its list has no UTC, and may lack the zone that a show has. */
export function listZones(used: string): string[] {
  return [...new Set(['UTC', used, ...Intl.supportedValuesOf('timeZone')])].sort()
}

export type ShowImageChange = { file: File | null; isRemoved: boolean }

/** @param edited the version that the visitor saw; undefined to add a show @throws UploadError */
export async function sendShow(
  { streamer, ...fields }: ShowFields,
  { file, isRemoved }: ShowImageChange,
  edited: ShowView | undefined,
): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('image', file)
  if (!edited) {
    form.append('streamer', streamer)
    return postForm(SHOWS_CALL, form)
  }
  form.append('removeImage', String(isRemoved))
  form.append('updatedAt', edited.updatedAt.toISOString())
  return postForm(`${SHOWS_CALL}/${edited.id}`, form, undefined, undefined, 'PUT')
}
