import type { SiteSwitch, SwitchView } from '#src/contract/switches.ts'
import { rich, t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './moderation.module.css'

const switchLabels: Record<SiteSwitch, () => string> = {
  'text-only': () => t('switch.textOnlyLabel'),
  'hold-posts': () => t('switch.holdPostsLabel'),
  'proof-of-work': () => t('switch.proofOfWorkLabel'),
  'members-threads': () => t('switch.membersThreadsLabel'),
  'uploads-off': () => t('switch.uploadsOffLabel'),
  'pastes-off': () => t('switch.pastesOffLabel'),
  'read-only': () => t('switch.readOnlyLabel'),
}

function describeChange({ name, since }: SwitchView): string {
  const label = switchLabels[name]()
  return since ? t('moderation.switchTurnedOff', { name: label }) : t('moderation.switchTurnedOn', { name: label })
}

/** Turns parts of the site on and off with one tap each. */
export function Switches() {
  const query = usePrivateQuery(['switches'], (client) => client.moderation.switches.list.query())
  const { action, alert } = useActions(query.refetch)
  return (
    <>
      {alert}
      <QueryResult query={query} failed={t('moderation.switchesFailed')}>
        {(switches) => (
          <ul className={styles.switches}>
            {switches.map((one) => (
              <li key={one.name} className={`spread ${styles.switch}`}>
                <span>
                  {switchLabels[one.name]()} <SwitchState {...one} />
                </span>
                <Button
                  size="small"
                  role="switch"
                  aria-checked={one.since !== null}
                  aria-label={switchLabels[one.name]()}
                  variant={one.since ? 'primary' : 'plain'}
                  {...action({
                    key: one.name,
                    run: (client) => client.moderation.switches.set.mutate({ name: one.name, on: !one.since }),
                    done: describeChange(one),
                    failed: t('moderation.switchFailed'),
                  })}
                >
                  {one.since ? t('moderation.on') : t('moderation.off')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </>
  )
}

function SwitchState({ since, until }: SwitchView) {
  if (!since) return null
  return (
    <span className="hint">
      {until
        ? rich('moderation.switchSinceUntil', {
            since: () => <RelativeTime date={since} />,
            until: () => <RelativeTime date={until} isAhead />,
          })
        : rich('moderation.switchSince', { since: () => <RelativeTime date={since} /> })}
    </span>
  )
}
