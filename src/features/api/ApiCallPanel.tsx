import type { ReactNode } from 'react'
import type { ApiCall } from '#src/contract/apiReference.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { ApiFields, Prose } from './ApiFields.tsx'
import styles from './ApiScreen.module.css'

/** Shows a call as one line that opens to its parameters and answers. */
export function ApiCallPanel({ call, types }: { call: ApiCall; types: Set<string> }) {
  const { id, method, path, summary, access, takes, answers, sends, statuses, example } = call
  return (
    <details className="accordion">
      <summary className={styles.head}>
        <span className={styles.method} data-method={method}>
          {method}
        </span>{' '}
        <code className={styles.path} translate="no">
          {path}
        </code>{' '}
        <span className={`small ${styles.summary}`}>
          <Prose text={summary} />
        </span>
      </summary>
      {/* A link to the id opens the panel around it. */}
      <div className={styles.body} id={id}>
        {access && <Part title="Access">{access}</Part>}
        {takes.map(({ place, fields }) => (
          <Part key={place} title={`Takes (${place})`}>
            <ApiFields fields={fields} types={types} />
          </Part>
        ))}
        <Part title="Answers">
          {answers.length === 0 && sends.length === 0 && <p className="hint">success only</p>}
          <ApiFields fields={answers} types={types} />
          <Pairs pairs={sends} />
        </Part>
        {statuses.length > 0 && (
          <Part title="Other statuses">
            <Pairs pairs={statuses} />
          </Part>
        )}
        <Part title="Example">
          <div className="snippet">
            <pre translate="no">
              <code>{example}</code>
            </pre>
            <CopyButton text={example} label="Copy the example" />
          </div>
          <a className={styles.link} href={`#${id}`}>
            Link to this call
          </a>
        </Part>
      </div>
    </details>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <p className="label">{title}</p>
      <div>{children}</div>
    </div>
  )
}

function Pairs({ pairs }: { pairs: [string, string][] }) {
  if (pairs.length === 0) return null
  return (
    <dl className={styles.fields}>
      {pairs.map(([name, text]) => (
        <div key={name} className={styles.field}>
          <dt>
            <code translate="no">{name}</code>
          </dt>
          <dd className="hint">
            <Prose text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
