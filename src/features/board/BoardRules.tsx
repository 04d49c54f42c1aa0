import styles from './PostDialog.module.css'

/** Shows a board's posting rules above the form. */
export function BoardRules({ rules }: { rules: string }) {
  if (rules === '') return null
  return (
    <details className={`accordion ${styles.rules}`} open>
      <summary className="label">Rules of this board</summary>
      {rules.split('\n').map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
        <p key={index}>{rule}</p>
      ))}
    </details>
  )
}
