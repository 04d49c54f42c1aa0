import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, useEffect, useRef } from 'react'
import styles from './Button.module.css'
import { cx } from './cx.ts'

type Look = {
  /** `primary` is the one thing a view is for; `danger` destroys */
  variant?: 'primary' | 'plain' | 'text' | 'danger'
  size?: 'small' | 'big'
}

/** Class of a button, for one that is there hundreds of times and needs nothing else of it. */
export const look = ({ variant = 'plain', size }: Look, className?: string) =>
  cx(styles.button, styles[variant], size && styles[size], className)

/** A button; while `busy` it is disabled and turns a spinner, and the focus that costs it comes back afterwards. */
export function Button({
  variant,
  size,
  busy = false,
  disabled,
  className,
  children,
  type = 'button',
  ...rest
}: Look & { busy?: boolean } & Omit<ComponentProps<'button'>, 'ref'>) {
  const element = useRef<HTMLButtonElement>(null)
  const wasBusy = useRef(false)

  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body) element.current?.focus()
    wasBusy.current = busy
  }, [busy])

  return (
    <button
      {...rest}
      ref={element}
      type={type}
      className={look({ variant, size }, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy && <LoaderCircle className={cx('icon', styles.spinner)} />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: Look & ComponentProps<'a'>) {
  return <a {...rest} className={look({ variant, size }, className)} />
}
