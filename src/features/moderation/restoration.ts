import { type LogEntryView, moderationMessages } from '#src/contract/moderation.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

export const describeRestoration = ({ id, count }: Pick<LogEntryView, 'id' | 'count'>): Deletion => ({
  title: count === 1 ? 'Restore this post?' : `Restore ${count.toLocaleString('en')} posts?`,
  text: `${
    count === 1
      ? 'It will be back in its place, with its number, quotes and picture.'
      : 'They will be back in their places, with their numbers, quotes and pictures.'
  } A post that nobody had reviewed waits for a review again. The log will show this.`,
  verb: 'Restore',
  variant: 'primary',
  failed: moderationMessages.restore,
  done: 'Restored',
  run: async () => (await trpc()).moderation.restore.mutate({ logId: id }),
})
