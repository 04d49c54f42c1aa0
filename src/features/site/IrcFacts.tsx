import { t } from '#src/i18n/t.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { useSite } from '#src/ui/site.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './IrcFacts.module.css'
import { channelUrl } from './JoinChat.tsx'

export function IrcFacts() {
  const { irc } = useSite()
  const { host, port, channels } = irc
  return (
    <dl className={`divided ${styles.facts}`}>
      <div>
        <dt className="label">{t('site.server')}</dt>
        <dd>{host}</dd>
        <dd>
          <CopyButton text={host} label={t('site.copyServer')} />
        </dd>
      </div>
      <div>
        <dt className="label">{t('site.port')}</dt>
        <dd>{port}</dd>
        <dd>
          <CopyButton text={String(port)} label={t('site.copyPort')} />
        </dd>
      </div>
      <div>
        <dt className="label">{t('site.security')}</dt>
        <dd>{t('site.sslRequired')}</dd>
      </div>
      <div>
        <dt className="label">{t('site.channels')}</dt>
        <dd className={`cluster ${styles.channels}`}>
          {Object.values(channels).map((channel) => (
            <Tag key={channel} href={channelUrl(irc, channel)}>
              {channel}
            </Tag>
          ))}
        </dd>
      </div>
      <div>
        <dt className="label">{t('site.vhosts')}</dt>
        <dd className={styles.note}>{t('site.vhostsText', { channel: channels.vhosts })}</dd>
      </div>
    </dl>
  )
}
