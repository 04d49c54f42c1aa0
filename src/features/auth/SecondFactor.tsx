import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './Account.module.css'
import { FactorDialog } from './FactorDialog.tsx'
import { useSecondFactor } from './useAccountData.ts'
import type { FactorChange } from './useFactorChange.ts'

export function SecondFactor() {
  const { data } = useSecondFactor()
  const [change, setChange] = useState<FactorChange | null>(null)
  return (
    <section className={`panel ${styles.section}`} aria-labelledby="second-factor">
      <h2 className={styles.title} id="second-factor">
        Second factor
      </h2>
      <p>A code or passkey confirms that it's you, so a stolen password is not enough.</p>
      {data && (
        <>
          <ul className={styles.list}>
            <li className={styles.row}>
              <div>
                Authenticator app
                <p className="hint">{data.totp ? 'On: logins need a code' : 'Off'}</p>
              </div>
              <Button size="small" onClick={() => setChange({ kind: data.totp ? 'remove-totp' : 'add-totp' })}>
                {data.totp ? 'Remove app' : 'Add app'}
              </Button>
            </li>
            {data.passkeys.map(({ id, name, createdAt, usedAt }) => (
              <li key={id} className={styles.row}>
                <div>
                  Passkey “{name}”
                  <p className="hint">
                    Added <RelativeTime date={createdAt} />
                    {usedAt && (
                      <>
                        , last used <RelativeTime date={usedAt} />
                      </>
                    )}
                  </p>
                </div>
                <Button
                  size="small"
                  aria-label={`Remove passkey ${name}`}
                  onClick={() => setChange({ kind: 'remove-passkey', id })}
                >
                  Remove
                </Button>
              </li>
            ))}
            {(data.totp || data.passkeys.length > 0) && (
              <li className={styles.row}>
                <div>
                  Recovery codes
                  <p className="hint">{data.recoveryCodes} unused codes left</p>
                </div>
                <Button size="small" onClick={() => setChange({ kind: 'new-codes' })}>
                  Make new codes
                </Button>
              </li>
            )}
          </ul>
          <div className={styles.actions}>
            <Button onClick={() => setChange({ kind: 'add-passkey' })}>Add a passkey</Button>
          </div>
        </>
      )}
      {change && <FactorDialog change={change} onClose={() => setChange(null)} />}
    </section>
  )
}
