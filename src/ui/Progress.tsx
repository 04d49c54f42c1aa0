import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './Progress.module.css'

export function Progress({ className, ...rest }: ComponentProps<'progress'>) {
  return <progress {...rest} className={cx(styles.progress, className)} />
}
