import { useState } from 'react'
import type { SecondFactorView } from '#src/contract/auth.ts'
import { rich, t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import styles from './Account.module.css'
import { type FactorChange, FactorDialog } from './FactorDialog.tsx'

const timeOf = (date: Date) => () => <RelativeTime date={date} />

export function SecondFactor({ email }: { email: string }) {
  // A remount reads again: another tab or device may have changed the account.
  const { data, refetch } = usePrivateQuery(['second-factor', email], (client) => client.auth.secondFactor.query())
  const [change, setChange] = useState<FactorChange | null>(null)
  const fault = data ? findPasskeyFault(data) : null
  return (
    <section className="panel form" aria-labelledby="second-factor">
      <h2 className="h3" id="second-factor">
        {t('account.secondFactor')}
      </h2>
      <p>{t('account.factorText')}</p>
      {data && (
        <>
          <ul>
            <li className={`spread ${styles.row}`}>
              <div>
                {t('account.app')}
                <p className="hint">{data.totp ? t('account.appOn') : t('account.appOff')}</p>
              </div>
              <Button size="small" onClick={() => setChange({ kind: data.totp ? 'remove-totp' : 'add-totp' })}>
                {data.totp ? t('account.removeApp') : t('account.addApp')}
              </Button>
            </li>
            {data.passkeys.map(({ id, name, createdAt, usedAt }) => (
              <li key={id} className={`spread ${styles.row}`}>
                <div>
                  {t('account.passkey', { name })}
                  <p className="hint">
                    {usedAt
                      ? rich('account.passkeyUsed', { added: timeOf(createdAt), used: timeOf(usedAt) })
                      : rich('account.passkeyAdded', { added: timeOf(createdAt) })}
                  </p>
                </div>
                <Button
                  size="small"
                  aria-label={t('account.removePasskey', { name })}
                  onClick={() => setChange({ kind: 'remove-passkey', id })}
                >
                  {t('ui.remove')}
                </Button>
              </li>
            ))}
            {(data.totp || data.passkeys.length > 0) && (
              <li className={`spread ${styles.row}`}>
                <div>
                  {t('account.recoveryCodes')}
                  <p className="hint">{t('account.recoveryCodesLeft', { count: data.recoveryCodes })}</p>
                </div>
                <Button size="small" onClick={() => setChange({ kind: 'new-codes' })}>
                  {t('account.makeCodes')}
                </Button>
              </li>
            )}
          </ul>
          <div className="cluster">
            <Button
              disabled={fault !== null}
              aria-describedby={fault === null ? undefined : 'passkey-fault'}
              onClick={() => setChange({ kind: 'add-passkey' })}
            >
              {t('account.addPasskey')}
            </Button>
            {fault !== null && (
              <p className="hint" id="passkey-fault">
                {fault}
              </p>
            )}
          </div>
        </>
      )}
      {change && <FactorDialog change={change} onChanged={refetch} onClose={() => setChange(null)} />}
    </section>
  )
}

/** Returns why no passkey can be added here, or null. Runs only in the browser, which loads the data. */
function findPasskeyFault({ passkeyOrigin }: SecondFactorView): string | null {
  if (passkeyOrigin === null) return t('account.passkeysNeedDomain')
  if (passkeyOrigin !== location.origin) return t('account.passkeysElsewhere', { origin: passkeyOrigin })
  return 'PublicKeyCredential' in window ? null : t('account.passkeysUnsupported')
}
