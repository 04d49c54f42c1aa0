import { type LogEntryView, moderationMessages } from '#src/contract/moderation.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

export const describeRestoration = ({ id, count }: Pick<LogEntryView, 'id' | 'count'>): Deletion => ({
  title: count === 1 ? 'Restore this post?' : `Restore ${count.toLocaleString('en')} posts?`,
  text: 'They will be back in their places, with their numbers, quotes and pictures. The log will show it.',
  verb: 'Restore',
  variant: 'primary',
  failed: moderationMessages.restore,
  done: 'Restored',
  run: async () => (await trpc()).moderation.restore.mutate({ logId: id }),
})
