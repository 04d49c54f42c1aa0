import type { BanView } from '#src/contract/bans.ts'
import { t } from '#src/i18n/t.ts'
import type { Fact } from '#src/ui/admin/Rows.tsx'
import { Time } from '#src/ui/Time.tsx'

export const banFacts = ({ width, createdAt, endsAt, createdBy }: BanView): Fact[] => [
  [t('moderation.coversLabel'), width === 'host' ? t('moderation.coversAddress') : t('moderation.coversNetwork')],
  [t('moderation.since'), <Time key="since" date={createdAt} />],
  [t('moderation.until'), <Time key="until" date={endsAt} />],
  [t('moderation.bannedBy'), createdBy ?? t('moderation.deletedUser')],
]
