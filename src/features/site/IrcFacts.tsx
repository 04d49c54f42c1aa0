import { CopyButton } from '#src/ui/CopyButton.tsx'
import { useSite } from '#src/ui/site.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import styles from './IrcFacts.module.css'
import { channelUrl } from './ircClients.ts'

export function IrcFacts() {
  const { irc } = useSite()
  const { host, port, channels } = irc
  return (
    <dl className={styles.facts}>
      <div>
        <dt className="label">Server</dt>
        <dd>{host}</dd>
        <dd>
          <CopyButton text={host} label="Copy server" />
        </dd>
      </div>
      <div>
        <dt className="label">Port</dt>
        <dd>{port}</dd>
        <dd>
          <CopyButton text={String(port)} label="Copy port" />
        </dd>
      </div>
      <div>
        <dt className="label">Security</dt>
        <dd>SSL required</dd>
      </div>
      <div>
        <dt className="label">Channels</dt>
        <dd className={styles.channels}>
          {Object.values(channels).map((channel) => (
            <Tag key={channel} href={channelUrl(irc, channel)}>
              {channel}
            </Tag>
          ))}
        </dd>
      </div>
      <div>
        <dt className="label">vHosts</dt>
        <dd className={styles.note}>Custom vhosts are available. Ask in {channels.vhosts}.</dd>
      </div>
    </dl>
  )
}
