import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { useFieldProps } from './Field.tsx'

/** One choice of a short list, inside a Field. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...useFieldProps()} {...rest} className={cx(styles.input, className)} />
}
