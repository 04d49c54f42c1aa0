import { useState } from 'react'
import type { z } from 'zod'
import { focusInView } from './focus.ts'

/** Keeps the text fields of a form, and the error if the form was refused. */
export function useForm<Fields extends Record<string, string>>(empty: Fields, schema: z.ZodType) {
  type Name = keyof Fields & string
  const [fields, setFields] = useState(empty)
  const [refusal, setRefusal] = useState<{ text: string; field?: Name } | null>(null)

  /** Shows an error and focuses the invalid control. */
  function refuse(form: HTMLFormElement, text: string, field: Name) {
    setRefusal({ text, field })
    focusInView(form.elements.namedItem(field))
  }

  /** Returns whether the fields are valid. Shows the first error if they are not. */
  function validate(form: HTMLFormElement): boolean {
    setRefusal(null)
    const [issue] = schema.safeParse(fields).error?.issues ?? []
    if (issue) refuse(form, issue.message, issue.path[0] as Name)
    return !issue
  }

  /** Returns the props of a field's control. */
  const control = (name: Name) => ({
    name,
    required: true,
    'aria-invalid': refusal?.field === name || undefined,
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setFields((before) => ({ ...before, [name]: target.value })),
  })

  function clear() {
    setFields(empty)
    setRefusal(null)
  }

  return { fields, setFields, refusal, setRefusal, refuse, validate, control, clear }
}
