import { Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import styles from './FloatingButton.module.css'
import { useHydrated } from './hydration.ts'
import { Scripted } from './Scripted.tsx'

/** For a link that looks like a floating button. */
export const floatingButtonClass = styles.button

export function FloatingButton({ label, ...rest }: { label: string } & ComponentProps<'button'>) {
  return (
    <Scripted>
      <button
        {...rest}
        type="button"
        className={styles.button}
        aria-label={label}
        title={label}
        disabled={!useHydrated()}
      >
        <Plus className="icon" />
      </button>
    </Scripted>
  )
}
