import { SHOWS_CALL, type ShowView } from '#src/contract/show.ts'
import { postForm } from '#src/lib/upload.ts'

const NEW_SHOW = {
  ...{ title: '', description: '', firstDay: '', lastDay: '', zone: '' },
  isWeekly: true,
  startTime: '20:00',
  minutes: 120,
}

/** The values of the form's controls. */
export type ShowFields = Record<
  'title' | 'description' | 'isWeekly' | 'firstDay' | 'startTime' | 'minutes' | 'zone' | 'lastDay' | 'streamer',
  string
>

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const toFields = (show: ShowView | undefined, streamer: string): ShowFields => {
  const { title, description, isWeekly, firstDay, startTime, minutes, zone, lastDay } = show ?? NEW_SHOW
  const texts = { title, description, firstDay, startTime, zone: zone || ownZone(), lastDay: lastDay ?? '' }
  return { ...texts, isWeekly: String(isWeekly), minutes: String(minutes), streamer: show?.streamer ?? streamer }
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
