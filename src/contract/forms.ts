import type { TextKey } from '#src/i18n/types.ts'

/** Why the server refused a form: the text and its key, and the invalid field. */
export type FormRefusal = {
  text: string
  code?: TextKey | null
  field?: string | null
  /** set if the visitor is banned and may appeal */
  appealToken?: string | null
}

/** A form that a browser sent without script. `refusal` is null if the call accepted it, and `result` is its result. */
export type SubmittedForm = {
  fields: Record<string, string>
  /** whether the form had a picture, which its page cannot show again */
  hasImage: boolean
  refusal: FormRefusal | null
  result: unknown
}

/** The server renders parts for browsers with script in this element, and puts the element into a block of data. */
export const SCRIPTED_TAG = 'scripted-part'
