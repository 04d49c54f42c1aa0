import type { SubmittedForm } from '#src/contract/forms.ts'
import type { TextKey } from '#src/i18n/types.ts'

/** Why the server refused a form: the text and its key, and the invalid field. */
export type FormRefusal = {
  text: string
  code?: TextKey | null
  field?: string | null
  /** set if the visitor is banned and may appeal */
  appealToken?: string | null
}

/** Returns why the server refused a form that the browser sent without script, or null. */
export const refusalOf = (form: SubmittedForm | null): FormRefusal | null =>
  form?.refusal
    ? { text: form.refusal, code: form.code as TextKey | null, field: form.field, appealToken: form.appealToken }
    : null

/** Reads the appeal token of a documented call's answer. */
export function readAppealToken(answer: { ban?: unknown } | null): string | null {
  const { appealToken } = (answer?.ban ?? {}) as { appealToken?: unknown }
  return typeof appealToken === 'string' ? appealToken : null
}
