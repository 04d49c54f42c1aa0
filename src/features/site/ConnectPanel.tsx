import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { useEarlyChange } from '#src/ui/hydration.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useSite } from '#src/ui/site.ts'
import styles from './ConnectPanel.module.css'
import { IrcFacts } from './IrcFacts.tsx'
import { ircClients } from './JoinChat.tsx'

export function ConnectPanel() {
  const site = useSite()
  const [clientName, setClientName] = useState('WeeChat')
  const client = ircClients.find(({ name }) => name === clientName)
  const commands = client?.commands(site) ?? ''

  return (
    <div className="wrap">
      <section className={`panel ${styles.connect}`} id="connect" aria-labelledby="connect-title">
        <div className={styles.intro}>
          <h2 id="connect-title">{t('site.connectTitle')}</h2>
          <p>{t('site.connectText')}</p>
          <Scripted>
            <fieldset className={styles.client}>
              <legend className="label">{t('site.client')}</legend>
              <div className={styles.segments}>
                {ircClients.map(({ name }) => (
                  <ClientChoice key={name} name={name} checked={name === clientName} onChoose={setClientName} />
                ))}
              </div>
            </fieldset>
          </Scripted>
          <div className={`snippet ${styles.command}`}>
            <code translate="no">{commands}</code>
            <CopyButton text={commands} label={t('site.copyCommands')} />
          </div>
          <ButtonLink variant="text" className={styles.download} href={client?.download} target="_blank" rel="noopener">
            {t('ui.download', { name: clientName })}
            <ArrowUpRight className="icon icon-s" />
            <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
          </ButtonLink>
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
        className="covering"
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
