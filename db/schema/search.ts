import { index, pgTable } from 'drizzle-orm/pg-core'
import { post } from './board.ts'
import { number, tsvector } from './columns.ts'

/**
 * The words of every published post. Triggers on `post` keep it up to date (the migration that creates it), so no code
 * writes it. A table of its own: reading threads does not load the words, and a backup leaves them out.
 */
export const postSearch = pgTable(
  'post_search',
  {
    postId: number('post_id')
      .primaryKey()
      .references(() => post.id, { onDelete: 'cascade' }),
    /**
     * The words of title (weight A) and content, and labels of the post. Labels begin with a space, which no word does:
     * ` b` and ` c` small and large block of post numbers, ` g` board, ` i` has an image, ` n` nick, ` y`, ` m` and ` d` year, month and day.
     */
    vector: tsvector().notNull(),
  },
  (table) => [
    // A pending list (`fastupdate`) would be read again for each block that a search visits.
    index('post_search_by_word').using('gin', table.vector).with({ fastupdate: false }),
  ],
)
