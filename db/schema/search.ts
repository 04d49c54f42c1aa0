import { index, pgTable } from 'drizzle-orm/pg-core'
import { number, tsvector } from './columns.ts'
import { post } from './post.ts'

/**
 * The words of every live post. A trigger on `post` adds new posts (`0021_search.sql`), and `changeState` the others.
 * It is separate from `post`, so that threads load without the words and backups omit them.
 */
export const postSearch = pgTable(
  'post_search',
  {
    postId: number('post_id')
      .primaryKey()
      .references(() => post.id, { onDelete: 'cascade' }),
    /**
     * The words of title (weight A) and content, and labels of the post. Labels begin with a space, unlike words: ` b`
     * small block and ` c` large block of post numbers, ` g` board, ` i` has an image, ` n` nick, ` y` year, ` m` month,
     * ` d` day.
     */
    vector: tsvector().notNull(),
  },
  (table) => [
    // New words wait in a pending list: without it, each post would log all posts with its common words again. The list is
    // short (64 kB, a setting of `index_posts`), because each block that a search visits reads it again.
    index('post_search_by_word').using('gin', table.vector),
  ],
)
