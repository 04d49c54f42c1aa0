import { commonReasons, moderationLimits } from '#src/contract/moderation.ts'
import { Chip } from './Chip.tsx'
import { Field, TextInput } from './Field.tsx'
import styles from './ReasonField.module.css'

type ReasonFieldProps = { value: string; onChange: (value: string) => void; hint: string; error?: string | null }

/** Asks why a moderator acts. One tap chooses a common reason. */
export function ReasonField({ value, onChange, hint, error }: ReasonFieldProps) {
  return (
    <Field label="Reason" hint={hint} error={error}>
      <div className={styles.common} role="radiogroup" aria-label="Suggestions">
        {commonReasons.map((reason) => (
          <Chip key={reason} name="common-reason" checked={value === reason} onChange={() => onChange(reason)}>
            {reason}
          </Chip>
        ))}
      </div>
      <TextInput
        name="reason"
        autoComplete="off"
        maxLength={moderationLimits.reason}
        placeholder="Or in your own words"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}
