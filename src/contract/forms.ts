/** A form that a browser sent without script. `refusal` is null if the call accepted it, and `result` is its result. */
export type SubmittedForm = {
  fields: Record<string, string>
  /** whether the form had a picture, which its page cannot show again */
  hasImage: boolean
  refusal: string | null
  /** the key of the refusal's text */
  code: string | null
  /** the invalid field */
  field: string | null
  /** set if the visitor is banned and may appeal */
  appealToken: string | null
  result: unknown
}

/** The server renders parts for browsers with script in this element, and puts the element into a block of data. */
export const SCRIPTED_TAG = 'scripted-part'
