import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { useHydrated } from './hydration.ts'
import styles from './IconButton.module.css'
import { Scripted } from './Scripted.tsx'

type Named = { icon: LucideIcon; label: string }

type IconButtonProps = Named & {
  danger?: boolean
  /** enabled before hydration, for popovers and for clicks that `pages/early.js` handles */
  native?: boolean
} & ComponentProps<'button'>

export function IconButton({
  icon: Icon,
  label,
  danger,
  native = false,
  disabled,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const isHydrated = useHydrated()
  return (
    <Scripted>
      <button
        {...rest}
        type={type}
        className={cx(styles.button, danger && styles.danger, className)}
        disabled={disabled || !(native || isHydrated)}
        aria-label={label}
        title={label}
      >
        <Icon className="icon" />
      </button>
    </Scripted>
  )
}

export function IconLink({ icon: Icon, label, href, ...rest }: Named & { href: string } & ComponentProps<'a'>) {
  return (
    <a {...rest} href={href} className={styles.button} aria-label={label} title={label}>
      <Icon className="icon" />
    </a>
  )
}
