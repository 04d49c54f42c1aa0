import { EXPIRY_HOURS, type ExpiryHours, expiryLabel } from '#src/contract/expiry.ts'
import { Field } from './Field.tsx'
import { Select } from './Select.tsx'

type ExpiryFieldProps = { value: ExpiryHours; disabled?: boolean; onChange: (hours: ExpiryHours) => void }

export function ExpiryField({ value, disabled, onChange }: ExpiryFieldProps) {
  return (
    <Field label="Expiration">
      <Select
        name="expiryHours"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(Number(event.target.value) as ExpiryHours)}
      >
        {EXPIRY_HOURS.map((hours) => (
          <option key={hours} value={hours}>
            {expiryLabel(hours)}
          </option>
        ))}
      </Select>
    </Field>
  )
}
