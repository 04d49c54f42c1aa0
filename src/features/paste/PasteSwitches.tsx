import { useEarlyChange, useHydrated } from '#src/ui/hydration.ts'
import { canEncrypt } from './browserCrypto.ts'
import styles from './PasteSwitches.module.css'
import type { Draft } from './sendPaste.ts'

type PasteSwitchesProps = { draft: Draft; change: (patch: Partial<Draft>) => void }

export function PasteSwitches({ draft, change }: PasteSwitchesProps) {
  const able = !useHydrated() || canEncrypt()
  return (
    <fieldset className={styles.switches}>
      <legend className="visually-hidden">Reading</legend>
      <Switch
        label="Burn after reading"
        hint="It can be read once, then it is deleted."
        checked={draft.burnAfterReading}
        onChange={(burnAfterReading) => change({ burnAfterReading })}
      />
      <Switch
        label="Encrypt in the browser"
        hint={
          able
            ? 'The key is in the link only: this server cannot read the text, nor colour it.'
            : 'Your browser can encrypt over https only.'
        }
        checked={draft.encrypted}
        disabled={!able}
        // The visitor may turn the switch on before hydration detects that the browser cannot encrypt.
        onChange={(encrypted) => change({ encrypted: encrypted && canEncrypt() })}
      />
    </fieldset>
  )
}

type SwitchProps = {
  label: string
  hint: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  const change = (event: { target: HTMLInputElement }) => onChange(event.target.checked)
  return (
    <label className={styles.switch}>
      <input ref={useEarlyChange(change)} type="checkbox" checked={checked} disabled={disabled} onChange={change} />
      <span>
        <strong>{label}</strong>
        <span className="hint">{hint}</span>
      </span>
    </label>
  )
}
