import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './IconButton.module.css'

type Named = { icon: LucideIcon; label: string }

/** A button that is only an icon, with a name for those who do not see it. */
export function IconButton({
  icon: Icon,
  label,
  danger,
  className,
  type = 'button',
  ...rest
}: Named & { danger?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(styles.button, danger && styles.danger, className)}
      aria-label={label}
      title={label}
    >
      <Icon className="icon" />
    </button>
  )
}

/** A link that is only an icon. */
export function IconLink({ icon: Icon, label, href, ...rest }: Named & { href: string } & ComponentProps<'a'>) {
  return (
    <a {...rest} href={href} className={styles.button} aria-label={label} title={label}>
      <Icon className="icon" />
    </a>
  )
}
