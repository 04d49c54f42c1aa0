import { EXPIRY_HOURS, type ExpiryHours } from '#src/contract/fields.ts'
import { t } from '#src/i18n/t.ts'
import { Field, Select } from './Field.tsx'

const HOURS_PER_WEEK = 168

type ExpiryFieldProps = { value: ExpiryHours; disabled?: boolean; onChange: (hours: ExpiryHours) => void }

export function ExpiryField({ value, disabled, onChange }: ExpiryFieldProps) {
  return (
    <Field label={t('ui.expiration')}>
      <Select
        name="expiryHours"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(Number(event.target.value) as ExpiryHours)}
      >
        {EXPIRY_HOURS.map((hours) => (
          <option key={hours} value={hours}>
            {hours === HOURS_PER_WEEK ? t('ui.oneWeek') : t('ui.hours', { count: hours })}
          </option>
        ))}
      </Select>
    </Field>
  )
}
