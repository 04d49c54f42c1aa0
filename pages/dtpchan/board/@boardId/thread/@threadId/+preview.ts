import type { Preview } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import { threadCardPath } from '#src/contract/boardPaths.ts'
import { CARD } from '#src/contract/image.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, Preview>(
  ({ board, thread: { id, title, createdAt, lastActivity } }) => ({
    image: { url: threadCardPath(board.id, id), ...CARD, alt: `${title} - /${board.id}/` },
    article: { published: createdAt, modified: lastActivity, section: board.name },
  }),
  {},
)
