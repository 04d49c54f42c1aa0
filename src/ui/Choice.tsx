import { Checkbox } from './Checkbox.tsx'
import { cx } from './cx.ts'

type ChoiceProps = {
  type?: 'checkbox' | 'radio'
  name?: string
  label: string
  hint: string
  checked: boolean
  disabled?: boolean
  className?: string
  onChange: (checked: boolean) => void
}

/** Renders a checkbox or a radio button with an explanation below its label. */
export function Choice({ label, hint, className, onChange, ...input }: ChoiceProps) {
  return (
    <label className={cx('choice', className)}>
      <Checkbox value="true" {...input} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <strong>{label}</strong> <span className="hint">{hint}</span>
      </span>
    </label>
  )
}
