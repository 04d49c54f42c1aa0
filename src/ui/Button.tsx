import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, useEffect, useRef } from 'react'
import { Apart } from './Apart.tsx'
import styles from './Button.module.css'
import { cx } from './cx.ts'
import { useHydrated } from './hydration.ts'
import { Scripted } from './Scripted.tsx'

type ButtonStyle = {
  variant?: 'primary' | 'plain' | 'text' | 'danger'
  size?: 'small' | 'big'
}

/** Returns the button classes. Pages with hundreds of buttons use plain elements with these classes. */
export const buttonClass = ({ variant = 'plain', size }: ButtonStyle, className?: string) =>
  cx(styles.button, styles[variant], size && styles[size], className)

type ButtonProps = ButtonStyle & {
  busy?: boolean
  /** enabled even before hydration, for buttons that work without scripts (form submission, popover) */
  native?: boolean
} & Omit<ComponentProps<'button'>, 'ref'>

/** Renders a button. Disables it while `busy`. Unless `native`, it needs script. Restores the focus after `busy`. */
export function Button({
  variant,
  size,
  busy = false,
  native = false,
  disabled,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const element = useRef<HTMLButtonElement>(null)
  const wasBusy = useRef(false)
  const isHydrated = useHydrated()

  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body) element.current?.focus()
    wasBusy.current = busy
  }, [busy])

  const button = (
    <button
      {...rest}
      ref={element}
      type={type}
      className={buttonClass({ variant, size }, className)}
      disabled={disabled || busy || !(native || isHydrated)}
      aria-busy={busy || undefined}
    >
      {busy && <LoaderCircle className={'icon spinner'} />}
      {children}
    </button>
  )
  return <Apart>{native ? button : <Scripted>{button}</Scripted>}</Apart>
}

export function ButtonLink({ variant, size, className, ...rest }: ButtonStyle & ComponentProps<'a'>) {
  return (
    <Apart>
      <a {...rest} className={buttonClass({ variant, size }, className)} />
    </Apart>
  )
}
