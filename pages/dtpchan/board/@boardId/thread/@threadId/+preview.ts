import type { Preview } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

export default derivedFromData<Data, Preview>(
  ({ board, thread: { title, picture, spoiler, createdAt, lastActivity } }) => ({
    image: picture && !spoiler ? { ...picture.display, alt: `Picture of ${title}` } : undefined,
    article: { published: createdAt, modified: lastActivity, section: board.name },
  }),
  {},
)
