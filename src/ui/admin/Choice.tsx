import { Checkbox } from '#src/ui/Checkbox.tsx'

type ChoiceProps = {
  type?: 'checkbox' | 'radio'
  name?: string
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Renders a checkbox or a radio button with an explanation below its label. */
export function Choice({ label, hint, onChange, ...input }: ChoiceProps) {
  return (
    <label className="choice">
      <Checkbox {...input} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <strong>{label}</strong>
        <span className="hint">{hint}</span>
      </span>
    </label>
  )
}
