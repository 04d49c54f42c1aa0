import type { ReactNode } from 'react'
import type { PosterScope } from '#src/contract/moderation.ts'
import type { PosterBan, PosterDeletion } from '#src/lib/posters.ts'
import { Chip } from './Chip.tsx'
import styles from './PosterDialog.module.css'

/** Lengths of a ban in days. */
export const BAN_LENGTHS = [
  { value: 1, label: '1 day' },
  { value: 7, label: '1 week' },
  { value: 30, label: '30 days' },
  { value: 360, label: '360 days' },
]

type PosterChoicesProps = {
  boardId: string
  /** whether to offer the whole site */
  isAdmin: boolean
  /** returns the number of posts; undefined until they are counted */
  countOn: (scope: PosterScope) => number | undefined
  deletion: PosterDeletion
  onDeletion: (deletion: PosterDeletion) => void
  ban: PosterBan
  onBan: (ban: PosterBan) => void
}

/** Asks what to delete and whom to ban. Shows the details of a ban only once there is one. */
export function PosterChoices({ boardId, isAdmin, countOn, deletion, onDeletion, ban, onBan }: PosterChoicesProps) {
  return (
    <>
      <ChipChoice
        label="Delete their posts"
        name="deletion"
        value={deletion.scope}
        onChange={(scope) => onDeletion({ ...deletion, scope })}
        options={[
          { value: 'board', label: `On /${boardId}/`, count: countOn('board') },
          ...(isAdmin ? [{ value: 'site' as const, label: 'Whole site', count: countOn('site') }] : []),
          { value: null, label: 'Keep them' },
        ]}
      />
      {deletion.scope !== null && (
        <ChipChoice
          label="Posted from"
          name="deletion-width"
          value={deletion.width}
          onChange={(width) => onDeletion({ ...deletion, width })}
          options={[
            { value: 'host', label: 'The same address' },
            { value: 'range', label: 'Its network' },
          ]}
        />
      )}
      <ChipChoice
        label="Ban"
        name="ban-width"
        value={ban.width}
        onChange={(width) => onBan({ ...ban, width })}
        options={[
          { value: null, label: 'Nobody' },
          { value: 'host', label: 'The address' },
          { value: 'range', label: 'Its network' },
        ]}
      />
      {ban.width !== null && isAdmin && (
        <ChipChoice
          label="Ban from"
          name="ban-scope"
          value={ban.scope}
          onChange={(scope) => onBan({ ...ban, scope })}
          options={[
            { value: 'board', label: `/${boardId}/` },
            { value: 'site', label: 'Whole site' },
          ]}
        />
      )}
      {ban.width !== null && (
        <ChipChoice
          label="Ban for"
          name="ban-days"
          value={ban.days}
          onChange={(days) => onBan({ ...ban, days })}
          options={BAN_LENGTHS}
        />
      )}
    </>
  )
}

type ChoiceProps<Value> = {
  label: string
  name: string
  value: Value
  onChange: (value: Value) => void
  options: { value: NoInfer<Value>; label: ReactNode; count?: number | undefined }[]
}

/** Renders options of which one is chosen. */
export function ChipChoice<Value>({ label, name, value, onChange, options }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <div>
        {options.map((option) => (
          <Chip
            key={String(option.value)}
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            {...(option.count !== undefined && { count: option.count })}
          >
            {option.label}
          </Chip>
        ))}
      </div>
    </fieldset>
  )
}
