/** Why the server refused a form. A banned visitor gets a token for one appeal. */
export type Refusal = { text: string; appealToken?: string | null }

/** Reads the appeal token of a documented call's answer. */
export function readAppealToken(answer: { ban?: unknown } | null): string | null {
  const { appealToken } = (answer?.ban ?? {}) as { appealToken?: unknown }
  return typeof appealToken === 'string' ? appealToken : null
}
