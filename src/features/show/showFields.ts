import { SHOWS_CALL, type ShowView } from '#src/contract/show.ts'
import { postForm } from '#src/lib/upload.ts'

type Editable = Omit<ShowView, 'id' | 'image' | 'updatedAt'>

const NEW_SHOW: Editable = {
  ...{ title: '', description: '', streamer: '', firstDay: '', lastDay: null, zone: '' },
  isWeekly: true,
  startTime: '20:00',
  minutes: 120,
}

/** The texts of the form's controls. */
export type ShowFields = Record<keyof Editable, string>

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function toFields(show: ShowView | undefined, streamer: string): ShowFields {
  const values = Object.keys(NEW_SHOW).map((name) => [name, (show ?? NEW_SHOW)[name as keyof Editable]] as const)
  const texts = Object.fromEntries(values.map(([name, value]) => [name, String(value ?? '')])) as ShowFields
  return { ...texts, zone: texts.zone || ownZone(), streamer: texts.streamer || streamer }
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
