import { moderationLimits } from '#src/contract/moderation.ts'
import { t } from '#src/i18n/t.ts'
import { Chip } from './Chip.tsx'
import { Field, TextInput } from './Field.tsx'

/** Lists common reasons. Moderators may also write another reason. */
const listCommonReasons = () => [
  t('ui.reasonSpam'),
  t('ui.reasonOffTopic'),
  t('ui.reasonHarassment'),
  t('ui.reasonPersonalData'),
  t('ui.reasonIllegal'),
]

type ReasonFieldProps = { value: string; onChange: (value: string) => void; hint: string; error?: string | null }

/** Asks why a moderator acts. One tap chooses a common reason. */
export function ReasonField({ value, onChange, hint, error }: ReasonFieldProps) {
  return (
    <Field label={t('field.reason')} hint={hint} error={error}>
      <div className="cluster" role="radiogroup" aria-label={t('ui.suggestions')}>
        {listCommonReasons().map((reason) => (
          <Chip key={reason} name="common-reason" checked={value === reason} onChange={() => onChange(reason)}>
            {reason}
          </Chip>
        ))}
      </div>
      <TextInput
        name="reason"
        autoComplete="off"
        maxLength={moderationLimits.reason}
        placeholder={t('ui.ownWords')}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}
