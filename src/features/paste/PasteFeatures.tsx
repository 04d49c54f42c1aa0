import { Flame, KeyRound, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { rich, t } from '#src/i18n/t.ts'
import { type Feature, FeatureList, OtherWays } from '#src/ui/FormPage.tsx'
import { useVisitorOrigin } from '#src/ui/hydration.ts'

const listFeatures = (): Feature[] => [
  [ShieldCheck, t('paste.encryption'), t('paste.encryptedFeature')],
  [TimerOff, t('image.expiryFeature'), t('paste.expiryFeatureText')],
  [Flame, t('paste.burnAfterReading'), t('paste.burnFeature')],
  [KeyRound, t('paste.encrypt'), t('paste.browserFeature')],
  [Trash2, t('image.deleteFeature'), t('paste.deleteFeature')],
]

export function PasteFeatures({ siteUrl }: { siteUrl: string }) {
  const origin = useVisitorOrigin(siteUrl)
  return (
    <>
      <FeatureList features={listFeatures()} />
      <OtherWays title={t('paste.inTerminal')}>
        <pre translate="no">
          <code>{`dmesg | curl --data-binary @- \\\n  ${origin}/api/paste`}</code>
        </pre>
        <p className="hint">
          {rich('paste.terminalHint', {
            parameter: '?expiryHours=1',
            code: (text) => <code translate="no">{text}</code>,
          })}
        </p>
      </OtherWays>
    </>
  )
}
