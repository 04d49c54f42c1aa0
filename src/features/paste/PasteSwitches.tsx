import { t } from '#src/i18n/t.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import { canEncrypt } from './browserCrypto.ts'
import styles from './PasteSwitches.module.css'
import type { Draft } from './sendPaste.ts'

type PasteSwitchesProps = { draft: Draft; change: (patch: Partial<Draft>) => void }

export function PasteSwitches({ draft, change }: PasteSwitchesProps) {
  const isHydrated = useHydrated()
  const able = !isHydrated || canEncrypt()
  return (
    <fieldset className={styles.switches}>
      <legend className="visually-hidden">{t('paste.reading')}</legend>
      <Switch
        label={t('paste.burnAfterReading')}
        hint={t('paste.burnHint')}
        name="burnAfterReading"
        checked={draft.burnAfterReading}
        onChange={(burnAfterReading) => change({ burnAfterReading })}
      />
      <Scripted>
        <Switch
          label={t('paste.encrypt')}
          hint={able ? t('paste.encryptHint') : t('paste.encryptNeedsHttps')}
          checked={draft.encrypted}
          // Before hydration, the browser would send the text as it is.
          disabled={!isHydrated || !able}
          onChange={(encrypted) => change({ encrypted })}
        />
      </Scripted>
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
  onChange: (checked: boolean) => void
}

function Switch({ label, hint, onChange, ...rest }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <Checkbox value="true" {...rest} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <strong>{label}</strong> <span className="hint">{hint}</span>
      </span>
    </label>
  )
}
