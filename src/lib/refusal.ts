import type { z } from 'zod'

/** Why a form was not sent: shown as an alert. `field` is the name of the control at fault. */
export type Refusal<Field extends string = string> = { text: string; field?: Field }

/** Returns the first error of a form's values, and focuses the control at fault; null if the values are valid. */
export function refuseInvalid<Field extends string>(
  form: HTMLFormElement,
  schema: z.ZodType,
  values: Record<Field, unknown>,
): Refusal<Field> | null {
  const [issue] = schema.safeParse(values).error?.issues ?? []
  if (!issue) return null
  const field = issue.path[0] as Field
  focusControl(form, field)
  return { text: issue.message, field }
}

export function focusControl(form: HTMLFormElement, name: string) {
  const control = form.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}
