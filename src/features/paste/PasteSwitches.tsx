import { Checkbox } from '#src/ui/Checkbox.tsx'
import { cx } from '#src/ui/cx.ts'
import { useHydrated } from '#src/ui/hydration.ts'
import { canEncrypt } from './browserCrypto.ts'
import styles from './PasteSwitches.module.css'
import type { Draft } from './sendPaste.ts'

type PasteSwitchesProps = { draft: Draft; change: (patch: Partial<Draft>) => void }

export function PasteSwitches({ draft, change }: PasteSwitchesProps) {
  const isHydrated = useHydrated()
  const able = !isHydrated || canEncrypt()
  return (
    <fieldset className={styles.switches}>
      <legend className="visually-hidden">Reading</legend>
      <Switch
        label="Burn after reading"
        hint="The paste can be read once. Then it is deleted."
        name="burnAfterReading"
        checked={draft.burnAfterReading}
        onChange={(burnAfterReading) => change({ burnAfterReading })}
      />
      <Switch
        label="Encrypt in the browser"
        hint={
          able
            ? "Only the link holds the key. We can't read the text or highlight it."
            : 'Browsers can only encrypt on https pages.'
        }
        checked={draft.encrypted}
        // Before hydration, the browser would send the text as it is.
        disabled={!isHydrated || !able}
        className={styles.scripted}
        onChange={(encrypted) => change({ encrypted })}
      />
    </fieldset>
  )
}

type SwitchProps = {
  label: string
  hint: string
  checked: boolean
  /** field of the form that a browser sends without script */
  name?: string
  disabled?: boolean
  className?: string | undefined
  onChange: (checked: boolean) => void
}

function Switch({ label, hint, className, onChange, ...rest }: SwitchProps) {
  return (
    <label className={cx(styles.switch, className)}>
      <Checkbox value="true" {...rest} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <strong>{label}</strong>
        <span className="hint">{hint}</span>
      </span>
    </label>
  )
}
