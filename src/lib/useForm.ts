import { type FormEvent, useRef, useState } from 'react'
import { focusInView } from './focus.ts'

/** Keeps the text fields of a form, and why the server refused them. */
export function useForm<Fields extends Record<string, string>>(empty: Fields) {
  type Name = keyof Fields & string
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState(empty)
  const [refusal, setRefusal] = useState<{ text: string; field: string | null } | null>(null)

  /** Shows a refusal. Focuses the control of the field that it is about. */
  function refuse(text: string, field: string | null = null) {
    setRefusal({ text, field })
    if (field !== null) focusInView(form.current?.elements.namedItem(field) ?? null)
  }

  /** Returns the handler of the form's submit event. */
  const submitting = (send: () => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.current = event.currentTarget
    setRefusal(null)
    send()
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

  return { fields, setFields, refusal, refuse, dismiss: () => setRefusal(null), submitting, control, clear }
}
