import type { Preview } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, Preview>(
  ({ board, thread: { title, picture, createdAt, lastActivity } }) => ({
    image: picture ? { ...picture.display, alt: `Picture of ${title}` } : undefined,
    article: { published: createdAt, modified: lastActivity, section: board.name },
  }),
  {},
)
