import { cx } from './cx.ts'
import fieldStyles from './Field.module.css'
import { type ControlProps, useFieldProps } from './Field.tsx'
import { useEarlyChange } from './hydration.ts'
import styles from './Select.module.css'

export function Select({ className, ...rest }: ControlProps<'select', HTMLSelectElement>) {
  return (
    <select
      {...useFieldProps()}
      {...rest}
      ref={useEarlyChange(rest.onChange)}
      className={cx(fieldStyles.input, styles.select, className)}
    />
  )
}
