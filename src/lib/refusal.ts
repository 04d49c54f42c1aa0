import type { SubmittedForm } from '#src/contract/forms.ts'

/** Why the server refused a form. A banned visitor gets a token for one appeal. */
export type Refusal = { text: string; appealToken?: string | null }

/** Returns why the server refused a form that the browser sent without script, or null. */
export const refusalOf = (form: SubmittedForm | null): Refusal | null =>
  form?.refusal ? { text: form.refusal, appealToken: form.appealToken } : null

/** Reads the appeal token of a documented call's answer. */
export function readAppealToken(answer: { ban?: unknown } | null): string | null {
  const { appealToken } = (answer?.ban ?? {}) as { appealToken?: unknown }
  return typeof appealToken === 'string' ? appealToken : null
}
