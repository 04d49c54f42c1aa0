import type { ReactNode } from 'react'
import type { PosterScope } from '#src/contract/moderation.ts'
import { t } from '#src/i18n/t.ts'
import type { PosterBan, PosterDeletion } from '#src/lib/posters.ts'
import { Chip } from './Chip.tsx'

/** Lists lengths of a ban in days. */
export const listBanLengths = () => [
  { value: 1, label: t('ui.banDays', { count: 1 }) },
  { value: 7, label: t('ui.banWeeks', { count: 1 }) },
  { value: 30, label: t('ui.banDays', { count: 30 }) },
  { value: 360, label: t('ui.banDays', { count: 360 }) },
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
        label={t('ui.deleteTheirPosts')}
        name="deletion"
        value={deletion.scope}
        onChange={(scope) => onDeletion({ ...deletion, scope })}
        options={[
          { value: 'board', label: t('ui.onBoard', { board: boardId }), count: countOn('board') },
          ...(isAdmin ? [{ value: 'site' as const, label: t('ui.wholeSite'), count: countOn('site') }] : []),
          { value: null, label: t('ui.keepThem') },
        ]}
      />
      {deletion.scope !== null && (
        <ChipChoice
          label={t('ui.posterOrigin')}
          name="deletion-width"
          value={deletion.width}
          onChange={(width) => onDeletion({ ...deletion, width })}
          options={[
            { value: 'host', label: t('ui.sameAddress') },
            { value: 'range', label: t('ui.posterNetwork') },
          ]}
        />
      )}
      <ChipChoice
        label={t('ui.ban')}
        name="ban-width"
        value={ban.width}
        onChange={(width) => onBan({ ...ban, width })}
        options={[
          { value: null, label: t('ui.nobody') },
          { value: 'host', label: t('ui.posterAddress') },
          { value: 'range', label: t('ui.posterNetwork') },
        ]}
      />
      {ban.width !== null && isAdmin && (
        <ChipChoice
          label={t('ui.banFrom')}
          name="ban-scope"
          value={ban.scope}
          onChange={(scope) => onBan({ ...ban, scope })}
          options={[
            { value: 'board', label: `/${boardId}/` },
            { value: 'site', label: t('ui.wholeSite') },
          ]}
        />
      )}
      {ban.width !== null && (
        <ChipChoice
          label={t('ui.banFor')}
          name="ban-days"
          value={ban.days}
          onChange={(days) => onBan({ ...ban, days })}
          options={listBanLengths()}
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
    <fieldset>
      <legend>{label}</legend>
      <div className="cluster">
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
