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
