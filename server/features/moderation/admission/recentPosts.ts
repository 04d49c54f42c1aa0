import { hashWords } from './hashWords.ts'

const MAX_POSTS = 2000
const MAX_AGE_MS = 10 * 60_000
/**
 * Honest visitors repeat a short text now and then, so a post must resemble this many others. With a higher number, a
 * raid that varies few texts would use up the quota of strangers before it is recognized.
 */
const MIN_ALIKE = 3

export type RecentPosts = ReturnType<typeof createRecentPosts>

/** Creates a list of this process's recent posts and their words, to recognize posts that vary one text. */
export function createRecentPosts(now: () => Date) {
  let posts: { at: number; words: Uint32Array }[] = []
  return {
    /** Adds a post. `isRepeated` is true if it resembles several posts before it. */
    add(text: string): { isRepeated: boolean; remove: () => void } {
      const at = now().getTime()
      const words = hashWords(text)
      while (posts[0] && at - posts[0].at > MAX_AGE_MS) posts.shift()
      let alike = 0
      for (let index = posts.length - 1; index >= 0 && alike < MIN_ALIKE; index--) {
        if (areAlike(words, posts[index]?.words as Uint32Array)) alike++
      }
      const post = { at, words }
      posts.push(post)
      if (posts.length > MAX_POSTS) posts.shift()
      const remove = () => {
        posts = posts.filter((one) => one !== post)
      }
      return { isRepeated: alike >= MIN_ALIKE, remove }
    },
  }
}

/** Returns whether at least half of the words are the same. */
function areAlike(a: Uint32Array, b: Uint32Array): boolean {
  const longer = Math.max(a.length, b.length)
  if (2 * Math.min(a.length, b.length) < longer) return false
  let same = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left = 0, right = 0] = [a[i], b[j]]
    if (left === right) same++
    if (left <= right) i++
    if (right <= left) j++
  }
  return 2 * same >= longer
}
