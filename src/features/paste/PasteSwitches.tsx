import { t } from '#src/i18n/t.ts'
import { Choice } from '#src/ui/Choice.tsx'
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
      <Choice
        className={styles.switch}
        label={t('paste.burnAfterReading')}
        hint={t('paste.burnHint')}
        name="burnAfterReading"
        checked={draft.burnAfterReading}
        onChange={(burnAfterReading) => change({ burnAfterReading })}
      />
      <Scripted>
        <Choice
          className={styles.switch}
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
