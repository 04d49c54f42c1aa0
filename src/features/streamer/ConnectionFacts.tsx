import type { SourceConnection } from '#src/contract/streamer.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import styles from './ConnectionFacts.module.css'

/** Shows the settings that every program needs. */
export function ConnectionFacts({ connection }: { connection: SourceConnection }) {
  const { host, port, isSecure, mount, testMount, user } = connection
  return (
    <dl className={styles.facts}>
      <Fact label="Server" value={host} />
      <Fact label="Port" value={String(port)} />
      <Fact label="Security" value={isSecure ? 'TLS' : 'none'} isNote />
      <Fact label="Mount" value={mount} />
      <Fact label="Test mount" value={testMount} note="Measured only. Nobody hears it." />
      <Fact label="User" value={user} />
      <Fact label="Password" value="••••••••" note="Shown once, when it was created." isNote />
    </dl>
  )
}

type FactProps = { label: string; value: string; note?: string /** hides the copy button */; isNote?: boolean }

function Fact({ label, value, note, isNote }: FactProps) {
  return (
    <div>
      <dt className="label">{label}</dt>
      <dd>
        {value}
        {note && <span className={styles.note}>{note}</span>}
      </dd>
      {!isNote && (
        <dd>
          <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
        </dd>
      )}
    </div>
  )
}
