import { Check, CloudOff, Copy, Dices, RefreshCw, Shapes, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'
import {
  DEFAULT_PASSWORD_LENGTH,
  entropyBits,
  generatePassword,
  PASSWORD_LENGTHS,
  type PasswordLength,
  passwordClasses,
  type Strength,
  strengthOf,
} from '#src/lib/password.ts'
import { Button } from '#src/ui/Button.tsx'
import { useCopy } from '#src/ui/CopyButton.tsx'
import { cx } from '#src/ui/cx.ts'
import { Field, Select, TextInput } from '#src/ui/Field.tsx'
import { type Feature, FeatureList } from '#src/ui/FormPage.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import styles from './PasswordScreen.module.css'

const BITS_FORMAT = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

const strengthTexts: Record<Strength, () => string> = {
  Weak: () => t('password.weak'),
  Medium: () => t('password.medium'),
  Strong: () => t('password.strong'),
}

const characterCount = Object.values(passwordClasses).join('').length

const listFeatures = (): Feature[] => [
  [ShieldCheck, t('password.randomTitle'), t('password.randomText')],
  [Dices, t('password.evenTitle'), t('password.evenText', { count: characterCount })],
  [Shapes, t('password.classesTitle'), t('password.classesText')],
  [CloudOff, t('password.localTitle'), t('password.localText')],
]

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
      <PageHeader title={t('password.title')} lead={t('password.lead')} />
      <div className={styles.grid}>
        <noscript>
          <p>{t('password.needsScript')}</p>
        </noscript>
        <Scripted>
          <section className={cx('console deck', styles.deck)} aria-label={t('password.generator')}>
            <Field label={t('password.generated')}>
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
                  {t('ui.copy')}
                </Button>
              </div>
            </Field>
            <p className={styles.status} role="status">
              {copied && t('password.copied')}
            </p>
            <div className={styles.strength} data-strength={strength}>
              <div className={`spread ${styles.readings}`}>
                <p>
                  <span className="label">{t('password.strength')}</span>
                  <strong className={styles.word}>{strengthTexts[strength]()}</strong>
                </p>
                <p>
                  <span className="label">{t('password.entropy')}</span>
                  <span className={styles.bits}>{t('password.bits', { bits: formatNumber(bits, BITS_FORMAT) })}</span>
                </p>
              </div>
              <EntropyMeter bits={bits} />
            </div>
            <div className={styles.controls}>
              <Field label={t('password.length')}>
                <Select
                  value={length}
                  onChange={(event) => {
                    reset()
                    setLength(Number(event.target.value) as PasswordLength)
                  }}
                >
                  {PASSWORD_LENGTHS.map((choice) => (
                    <option key={choice} value={choice}>
                      {t('ui.characters', { count: choice })}
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
                {t('password.generate')}
              </Button>
            </div>
          </section>
        </Scripted>
        <FeatureList title={t('password.securityFeatures')} features={listFeatures()} />
      </div>
    </div>
  )
}

/** The meter is full at this many bits: such a password cannot be brute-forced. */
const MAX_BITS = 128
const HEIGHT = 24
const UNLIT_HEIGHT = 8

/** Draws ticks of the same width on every screen, and highlights the share of them that the password reaches. */
function EntropyMeter({ bits }: { bits: number }) {
  return (
    <div className={styles.meter}>
      <svg shapeRendering="crispEdges" aria-hidden="true">
        <pattern id="entropy-rest" width="4" height={HEIGHT} patternUnits="userSpaceOnUse">
          <rect className={styles.rest} y={HEIGHT - UNLIT_HEIGHT} width="2" height={UNLIT_HEIGHT} />
        </pattern>
        <pattern id="entropy-lit" width="4" height={HEIGHT} patternUnits="userSpaceOnUse">
          <rect className={styles.lit} width="2" height={HEIGHT} />
        </pattern>
        <rect width="100%" height={HEIGHT} fill="url(#entropy-rest)" />
        <rect width={`${Math.min(100, (bits / MAX_BITS) * 100)}%`} height={HEIGHT} fill="url(#entropy-lit)" />
      </svg>
      <p className={`scale ${styles.scale}`} aria-hidden="true">
        {[0, 32, 64, 96, 128].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
    </div>
  )
}
