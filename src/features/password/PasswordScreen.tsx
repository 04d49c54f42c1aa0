import { Check, Copy, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  DEFAULT_PASSWORD_LENGTH,
  PASSWORD_LENGTHS,
  type PasswordLength,
  passwordMessages,
} from '#src/contract/password.ts'
import { entropyBits, generatePassword, strengthOf } from '#src/lib/password.ts'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Select } from '#src/ui/Select.tsx'
import { useCopy } from '#src/ui/useCopy.ts'
import { EntropyMeter } from './EntropyMeter.tsx'
import styles from './PasswordScreen.module.css'
import { SecurityFeatures } from './SecurityFeatures.tsx'

/** Generates passwords in the browser, and never sends them to the server. */
export function PasswordScreen() {
  const [length, setLength] = useState<PasswordLength>(DEFAULT_PASSWORD_LENGTH)
  const [password, setPassword] = useState('')
  const { copied, copy, reset } = useCopy()
  const bits = entropyBits(length)
  const strength = strengthOf(length)

  useEffect(() => setPassword(generatePassword(length)), [length])

  return (
    <div className="wrap">
      <PageHeader
        title="Password Generator"
        lead="Strong random passwords, made in your browser. Nobody else sees them."
      />
      <div className={styles.grid}>
        <noscript>
          <p>This page needs JavaScript: your browser makes the password, so our server never sees it.</p>
        </noscript>
        <section className={cx('console', styles.deck)} aria-label="Generator">
          <Field label="Generated password">
            <div className={styles.display}>
              <TextInput
                className={styles.password}
                readOnly
                value={password}
                spellCheck={false}
                autoComplete="off"
                translate="no"
                onFocus={(event) => event.target.select()}
              />
              <Button className={styles.copy} disabled={password === ''} onClick={() => copy(password)}>
                {copied ? <Check className="icon" /> : <Copy className="icon" />}
                Copy
              </Button>
            </div>
          </Field>
          <p className={styles.status} role="status">
            {copied && passwordMessages.copied}
          </p>
          <div className={styles.strength} data-strength={strength}>
            <div className={styles.readings}>
              <p>
                <span className="label">Strength</span>
                <strong className={styles.word}>{strength}</strong>
              </p>
              <p>
                <span className="label">Entropy</span>
                <span className={styles.bits}>{bits.toFixed(1)} bits</span>
              </p>
            </div>
            <EntropyMeter bits={bits} />
          </div>
          <div className={styles.controls}>
            <Field label="Password length">
              <Select
                value={length}
                onChange={(event) => {
                  reset()
                  setLength(Number(event.target.value) as PasswordLength)
                }}
              >
                {PASSWORD_LENGTHS.map((choice) => (
                  <option key={choice} value={choice}>
                    {choice} characters
                  </option>
                ))}
              </Select>
            </Field>
            <Button
              variant="primary"
              onClick={() => {
                reset()
                setPassword(generatePassword(length))
              }}
            >
              <RefreshCw className="icon" />
              Generate New Password
            </Button>
          </div>
        </section>
        <SecurityFeatures />
      </div>
    </div>
  )
}
