import styles from '#src/features/board/writing/PostDialog.module.css'
import { t } from '#src/i18n/t.ts'
import { useSite } from '#src/ui/site.tsx'

/** Shows the posting rules of the site and of a board above the form. */
export function BoardRules({ rules }: { rules: string }) {
  const { postingRules } = useSite()
  const lines = [postingRules ?? '', rules].join('\n').split('\n').filter(Boolean)
  if (lines.length === 0) return null
  return (
    <details className={`accordion ${styles.rules}`} open>
      <summary className="label">{rules ? t('board.boardRules') : t('field.rules')}</summary>
      {lines.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
        <p key={index}>{rule}</p>
      ))}
    </details>
  )
}
