import type { LogEntryView } from '#src/contract/log.ts'
import { t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

export const describeRestoration = ({ id, count, isThread }: LogEntryView): Deletion => ({
  title: isThread ? t('moderation.restoreThread', { count }) : t('moderation.restoreTitle', { count }),
  text: t('moderation.restoreText', { count }),
  verb: t('moderation.restore'),
  variant: 'primary',
  failed: t('moderation.restoreFailed'),
  done: t('moderation.restored'),
  run: async () => (await trpc()).moderation.restore.mutate({ logId: id }),
})
