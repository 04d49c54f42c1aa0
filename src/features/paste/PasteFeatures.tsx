import { Flame, KeyRound, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { type Feature, FeatureList } from '#src/ui/FeatureList.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import styles from './PasteFeatures.module.css'

const features: Feature[] = [
  [ShieldCheck, 'AES-256', 'Pastes are encrypted at rest: the database and its backups alone do not open them.'],
  [TimerOff, 'Expires by itself', 'After 1 hour up to 1 week. From then on it is gone.'],
  [Flame, 'Burn after reading', 'Looking at the link burns nothing; only who reads it does.'],
  [KeyRound, 'Encrypt in the browser', 'With a key in the link, and a password if you like.'],
  [Trash2, 'A delete link of your own', 'Take the paste back whenever you like.'],
]

export function PasteFeatures({ siteUrl }: { siteUrl: string }) {
  // Uses the visitor's origin after hydration, because a site can have several origins.
  const origin = useHydrated() ? location.origin : siteUrl
  return (
    <>
      <FeatureList features={features} />
      <section className={styles.terminal}>
        <h2 className="label">In a terminal</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus */}
        <pre className={styles.command} tabIndex={0}>
          <code>{`dmesg | curl --data-binary @- \\\n  ${origin}/api/paste`}</code>
        </pre>
        <p className="hint">
          It answers with the address. With <code>?expiryHours=1</code> behind it the paste expires sooner.
        </p>
      </section>
    </>
  )
}
