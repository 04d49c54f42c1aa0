import type { PostView } from '#src/contract/post.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'

/** Names the post that a form answers. `author` is empty if the author deleted the post. */
export const NumberBy = ({ id, author }: Pick<PostView, 'id' | 'author'>) =>
  author === ''
    ? t('board.deletedPost', { id })
    : rich('board.numberBy', { id, name: author, nick: () => <Nick name={author} /> })
