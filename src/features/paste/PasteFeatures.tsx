import { Flame, KeyRound, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { rich, t } from '#src/i18n/t.ts'
import { type Feature, FeatureList } from '#src/ui/FeatureList.tsx'
import { useVisitorOrigin } from '#src/ui/hydration.ts'
import styles from './PasteFeatures.module.css'

const listFeatures = (): Feature[] => [
  [ShieldCheck, t('paste.encryption'), t('paste.encryptedFeature')],
  [TimerOff, t('paste.expiryFeature'), t('paste.expiryFeatureText')],
  [Flame, t('paste.burnAfterReading'), t('paste.burnFeature')],
  [KeyRound, t('paste.encrypt'), t('paste.browserFeature')],
  [Trash2, t('paste.deleteLinkFeature'), t('paste.deleteFeature')],
]

export function PasteFeatures({ siteUrl }: { siteUrl: string }) {
  const origin = useVisitorOrigin(siteUrl)
  return (
    <>
      <FeatureList features={listFeatures()} />
      <section className={styles.terminal}>
        <h2 className="label">{t('paste.inTerminal')}</h2>
        <pre className={styles.command}>
          <code>{`dmesg | curl --data-binary @- \\\n  ${origin}/api/paste`}</code>
        </pre>
        <p className="hint">
          {rich('paste.terminalHint', { parameter: '?expiryHours=1', code: (text) => <code>{text}</code> })}
        </p>
      </section>
    </>
  )
}
