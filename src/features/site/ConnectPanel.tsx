import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { useEarlyChange } from '#src/ui/hydration.ts'
import { useSite } from '#src/ui/site.tsx'
import styles from './ConnectPanel.module.css'
import { IrcFacts } from './IrcFacts.tsx'
import { ircClients } from './ircClients.ts'

export function ConnectPanel() {
  const site = useSite()
  const [clientName, setClientName] = useState('WeeChat')
  const client = ircClients.find(({ name }) => name === clientName)
  const commands = client?.commands(site) ?? ''

  return (
    <div className="wrap">
      <section className={`panel ${styles.connect}`} id="connect" aria-labelledby="connect-title">
        <div className={styles.intro}>
          <h2 id="connect-title">Connect to IRC</h2>
          <p>Any client works. Pick yours and paste these lines, or enter the details by hand.</p>
          <fieldset className={styles.client}>
            <legend className="label">Client</legend>
            <div className={styles.segments}>
              {ircClients.map(({ name }) => (
                <ClientChoice key={name} name={name} checked={name === clientName} onChoose={setClientName} />
              ))}
            </div>
          </fieldset>
          <div className={styles.command}>
            <code>{commands}</code>
            <CopyButton text={commands} label="Copy commands" className={styles.copy} />
          </div>
          <a className={styles.download} href={client?.download} target="_blank" rel="noopener">
            Download {clientName}
            <ArrowUpRight className="icon icon-s" />
            <span className="visually-hidden">(opens in a new tab)</span>
          </a>
        </div>
        <IrcFacts />
      </section>
    </div>
  )
}

type ClientChoiceProps = { name: string; checked: boolean; onChoose: (name: string) => void }

function ClientChoice({ name, checked, onChoose }: ClientChoiceProps) {
  const choose = () => onChoose(name)
  return (
    <label className={styles.segment}>
      <input
        ref={useEarlyChange<HTMLInputElement>(choose)}
        type="radio"
        name="client"
        value={name}
        checked={checked}
        onChange={choose}
      />
      {name}
    </label>
  )
}
