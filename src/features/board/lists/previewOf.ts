import type { ListedThread } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'

export const previewOf = ({ deleted, preview }: Pick<ListedThread, 'deleted' | 'preview'>): string =>
  deleted ? t('board.deletedByAuthor') : preview
