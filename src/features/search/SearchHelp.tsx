import styles from './SearchHelp.module.css'

const EXAMPLES: [example: string, meaning: string][] = [
  ['raspberry pi', 'posts with both words, in any order'],
  ['"kernel panic"', 'posts with this phrase'],
  ['pi -zero', 'posts with the first word, without the second'],
  ['nick:ferrite solder', 'posts by this nick with the word'],
  ['nick:"John Doe"', 'all posts by a nick with a space'],
]

/** Explains the syntax of searches. */
export function SearchHelp() {
  return (
    <section className={styles.help} aria-labelledby="search-help">
      <h2 className="label" id="search-help">
        What you can write
      </h2>
      <dl className={styles.examples}>
        {EXAMPLES.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        Capital letters and accents make no difference. Words are found as they are written: server does not find
        servers. Days are in UTC.
      </p>
    </section>
  )
}
