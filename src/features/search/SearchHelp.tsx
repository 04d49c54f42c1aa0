import { t } from '#src/i18n/t.ts'
import styles from './SearchHelp.module.css'

const EXAMPLES: [example: string, meaning: () => string][] = [
  ['raspberry pi', () => t('search.helpWords')],
  ['"kernel panic"', () => t('search.helpPhrase')],
  ['pi -zero', () => t('search.helpWithout')],
  ['nick:ferrite solder', () => t('search.helpNick')],
  ['nick:"John Doe"', () => t('search.helpNickSpace')],
]

/** Explains the syntax of searches. */
export function SearchHelp() {
  return (
    <section className={styles.help} aria-labelledby="search-help">
      <h2 className="label" id="search-help">
        {t('search.help')}
      </h2>
      <dl className={styles.examples}>
        {EXAMPLES.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{meaning()}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">{t('search.helpNote')}</p>
    </section>
  )
}
