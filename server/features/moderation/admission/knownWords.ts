import { desc, lt, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '#db/client.server.ts'
import { livePost } from '#db/schema/index.ts'
import { hashWords } from './hashWords.ts'

/** Enough posts for the common words of each language in which the site's visitors write. */
const MAX_POSTS = 1000
/** With fewer words, a site cannot tell texts from random letters. */
const MIN_WORDS = 1000
/** A site knows more than half of the words of ordinary texts. */
const MIN_KNOWN_SHARE = 1 / 3
/** The start of a long post has enough words, and the whole would take time at the start of a raid. */
const MAX_LENGTH = 2000

/** Creates a check whether the words of a text occurred in published posts, to recognize texts of random letters. */
export function createKnownWords(db: Database) {
  /** The words of the last posts before a time in ms. */
  const known = new LRUCache<number, Set<number>>({
    max: 1,
    fetchMethod: async (before) => {
      const rows = await db
        .select({ content: sql<string>`left(${livePost.content}, ${MAX_LENGTH})` })
        .from(livePost)
        .where(lt(livePost.createdAt, new Date(before)))
        .orderBy(desc(livePost.createdAt))
        .limit(MAX_POSTS)
      return new Set(rows.flatMap(({ content }) => [...hashWords(content)]))
    },
  })
  return {
    /** Returns false if too few words of a text occurred in the last posts before a raid. */
    async cover(text: string, before: Date): Promise<boolean> {
      const [words, knownWords] = [hashWords(text), await known.forceFetch(before.getTime())]
      if (knownWords.size < MIN_WORDS) return true
      return words.filter((word) => knownWords.has(word)).length >= MIN_KNOWN_SHARE * words.length
    },
  }
}
