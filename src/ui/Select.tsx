import { cx } from './cx.ts'
import styles from './Field.module.css'
import { type ControlProps, useFieldProps } from './Field.tsx'
import { useEarlyChange } from './hydration.ts'

export function Select({ className, ...rest }: ControlProps<'select', HTMLSelectElement>) {
  return (
    <select
      {...useFieldProps()}
      {...rest}
      ref={useEarlyChange(rest.onChange)}
      className={cx(styles.input, className)}
    />
  )
}
