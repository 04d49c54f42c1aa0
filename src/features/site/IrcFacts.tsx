import { t } from '#src/i18n/t.ts'
import { CopyFact, CopyFacts } from '#src/ui/CopyFacts.tsx'
import { useSite } from '#src/ui/site.ts'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './IrcFacts.module.css'
import { channelUrl } from './JoinChat.tsx'

export function IrcFacts() {
  const { irc } = useSite()
  const { host, port, channels } = irc
  return (
    <CopyFacts className={styles.facts}>
      <CopyFact label={t('site.server')} value={host} copyLabel={t('site.copyServer')} />
      <CopyFact label={t('site.port')} value={String(port)} copyLabel={t('site.copyPort')} />
      <CopyFact label={t('streamer.security')} value={t('site.sslRequired')} />
      <CopyFact label={t('site.channels')}>
        <span className="cluster" translate="no">
          {Object.values(channels).map((channel) => (
            <Tag key={channel} href={channelUrl(irc, channel)}>
              {channel}
            </Tag>
          ))}
        </span>
      </CopyFact>
      <CopyFact label={t('site.vhosts')} note={t('site.vhostsText', { channel: channels.vhosts })} />
    </CopyFacts>
  )
}
