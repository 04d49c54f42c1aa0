import type { ApiField } from '#src/contract/apiReference.ts'
import styles from './ApiScreen.module.css'

/** Lists fields with their types and notes. */
export function ApiFields({ fields, types }: { fields: ApiField[]; types: Set<string> }) {
  if (fields.length === 0) return null
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, type, isRequired, note }) => (
        <div key={name} className={styles.field}>
          <dt>
            <code translate="no">
              <strong>{name}</strong>
            </code>
            {!isRequired && <span className="hint"> optional</span>}
          </dt>
          <dd>
            <TypeText type={type} types={types} />
            {note && (
              <p className="hint">
                <Prose text={note} />
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Shows a text whose code is in backticks. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
      <code key={index} translate="no">
        {part}
      </code>
    ) : (
      part
    ),
  )
}

/** Shows a type with links to the types that it names. */
export function TypeText({ type, types }: { type: string; types: Set<string> }) {
  return (
    <code className={styles.typeText} translate="no">
      {type.split(/\b([A-Z]\w*)\b/).map((part, index) =>
        types.has(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          <a key={index} href={`#type-${part}`}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </code>
  )
}
