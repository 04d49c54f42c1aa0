import { type SwitchView, switchTexts } from '#src/contract/switches.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './Switches.module.css'

/** Turns parts of the site on and off with one tap each. */
export function Switches() {
  const query = usePrivateQuery(['switches'], (client) => client.moderation.switches.list.query())
  const { act, busyKey, alert } = useActions(query.refetch)
  return (
    <>
      {alert}
      <QueryResult query={query} failed="Failed to load the switches">
        {(switches) => (
          <ul className={styles.switches}>
            {switches.map((one) => (
              <li key={one.name} className={styles.switch}>
                <span>
                  {switchTexts[one.name].label} <SwitchState {...one} />
                </span>
                <Button
                  size="small"
                  role="switch"
                  aria-checked={one.since !== null}
                  aria-label={switchTexts[one.name].label}
                  variant={one.since ? 'primary' : 'plain'}
                  busy={busyKey === one.name}
                  onClick={() =>
                    act({
                      key: one.name,
                      run: (client) => client.moderation.switches.set.mutate({ name: one.name, on: !one.since }),
                      done: `${switchTexts[one.name].label}: ${one.since ? 'off' : 'on'}`,
                      failed: 'Failed to turn the switch',
                    })
                  }
                >
                  {one.since ? 'On' : 'Off'}
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
      since <RelativeTime date={since} />
      {until && (
        <>
          , ends <RelativeTime date={until} />
        </>
      )}
    </span>
  )
}
