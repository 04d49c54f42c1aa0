import type { BanView } from '#src/contract/bans.ts'
import type { Fact } from '#src/ui/admin/Rows.tsx'
import { Time } from '#src/ui/Time.tsx'

export const banFacts = ({ width, createdAt, endsAt, createdBy }: BanView): Fact[] => [
  ['Covers', width === 'host' ? 'one address' : 'a network'],
  ['Since', <Time key="since" date={createdAt} />],
  ['Until', <Time key="until" date={endsAt} />],
  ['By', createdBy ?? 'a removed user'],
]
