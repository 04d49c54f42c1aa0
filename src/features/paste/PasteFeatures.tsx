import { Flame, KeyRound, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { type Feature, FeatureList } from '#src/ui/FeatureList.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import styles from './PasteFeatures.module.css'

const features: Feature[] = [
  [ShieldCheck, 'AES-256', "Encrypted at rest. A leaked database or backup can't be read without the link."],
  [TimerOff, 'Expires automatically', 'Choose from 1 hour to 1 week. Then the paste is gone.'],
  [Flame, 'Burn after reading', 'Opening the link is safe. The paste burns when someone chooses to read it.'],
  [KeyRound, 'Encrypt in the browser', 'The link holds the key. Add a password if you like.'],
  [Trash2, 'Your own delete link', 'Delete the paste whenever you like.'],
]

export function PasteFeatures({ siteUrl }: { siteUrl: string }) {
  // Uses the visitor's origin after hydration, because a site can have several origins.
  const origin = useHydrated() ? location.origin : siteUrl
  return (
    <>
      <FeatureList features={features} />
      <section className={styles.terminal}>
        <h2 className="label">In a terminal</h2>
        <pre className={styles.command}>
          <code>{`dmesg | curl --data-binary @- \\\n  ${origin}/api/paste`}</code>
        </pre>
        <p className="hint">
          Prints the link. Add <code>?expiryHours=1</code> for a shorter life.
        </p>
      </section>
    </>
  )
}
