import styles from './Checkbox.module.css'
import { cx } from './cx.ts'
import type { ControlProps } from './Field.tsx'
import { useEarlyChange } from './hydration.ts'

/** Renders a checkbox, or a radio button if `type` is `radio`. */
export function Checkbox({
  type = 'checkbox',
  className,
  ...rest
}: { type?: 'checkbox' | 'radio' } & Omit<ControlProps<'input', HTMLInputElement>, 'type'>) {
  return <input {...rest} type={type} ref={useEarlyChange(rest.onChange)} className={cx(styles.box, className)} />
}

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
