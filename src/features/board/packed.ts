import type { CommentView, PostRef, PostView, ThreadView } from '#src/contract/board.ts'
import type { ImageView } from '#src/contract/image.ts'
import type { ThreadPage } from './merge.ts'

/**
 * A thread's page on its way to the browser. Its comments are one text, for whatever puts the data of a page into its
 * HTML looks at each value by itself; and what is empty, or said already, is not said.
 */
export type PackedThread = Omit<ThreadPage, 'thread'> & { thread: Omit<ThreadView, 'comments'>; comments: string }

/** `step` is how far its number is from that of the post before; `more` is missing where nothing is in it. */
type PackedPost = [step: number, author: string, content: string, createdAt: string, more?: More]
type More = {
  image?: string | null
  picture?: ImageView
  links?: string[]
  quotes?: PackedRef[]
  /** without the posts of this thread that say themselves whom they quote */
  quotedBy?: PackedRef[]
  replies?: PackedPost[]
}
/** A post of the same thread by its number alone. */
type PackedRef = number | PostRef

/** What was packed here, or unpacked before. */
const pages = new WeakMap<PackedThread, ThreadPage>()

export function packThread(page: ThreadPage): PackedThread {
  const { comments, ...thread } = page.thread
  const said = new Set(postsOf(comments).flatMap(({ id, quotes }) => quotes.map((quote) => `${id}>${quote.id}`)))
  const refs = (posts: PostRef[]) => posts.map((ref) => (ref.threadId === thread.id ? ref.id : ref))
  let before = thread.id

  const pack = (post: PostView, replies: PostView[] = []): PackedPost => {
    const { id, author, content, createdAt, image, picture, links, quotes } = post
    const quotedBy = post.quotedBy.filter((ref) => !said.has(`${ref.id}>${id}`))
    const step = id - before
    before = id
    const more: More = {
      ...(picture && { image, picture }),
      ...(links.length > 0 && { links }),
      ...(quotes.length > 0 && { quotes: refs(quotes) }),
      ...(quotedBy.length > 0 && { quotedBy: refs(quotedBy) }),
      ...(replies.length > 0 && { replies: replies.map((reply) => pack(reply)) }),
    }
    const packed: PackedPost = [step, author, content, createdAt.toISOString()]
    if (Object.keys(more).length > 0) packed.push(more)
    return packed
  }

  const packed = { ...page, thread, comments: JSON.stringify(comments.map((one) => pack(one, one.replies))) }
  pages.set(packed, page)
  return packed
}

export function unpackThread(packed: PackedThread): ThreadPage {
  const known = pages.get(packed)
  if (known) return known
  const { thread, comments: text, ...page } = packed
  const refTo = (id: number): PostRef => ({ id, threadId: thread.id, boardId: thread.boardId })
  const refs = (posts: PackedRef[] = []) => posts.map((ref) => (typeof ref === 'number' ? refTo(ref) : ref))

  let before = thread.id

  const unpack = ([step, author, content, createdAt, more = {}]: PackedPost): CommentView => {
    before += step
    return {
      id: before,
      author,
      content,
      createdAt: new Date(createdAt),
      image: more.image ?? null,
      picture: more.picture ?? null,
      links: more.links ?? [],
      quotes: refs(more.quotes),
      quotedBy: refs(more.quotedBy),
      replies: more.replies?.map(unpackReply) ?? [],
    }
  }
  const unpackReply = (reply: PackedPost): PostView => {
    const { replies, ...post } = unpack(reply)
    return post
  }

  const comments = (JSON.parse(text) as PackedPost[]).map(unpack)
  const posts = new Map(postsOf(comments).map((post) => [post.id, post]))
  for (const { id, quotes } of posts.values()) {
    for (const quote of quotes) posts.get(quote.id)?.quotedBy.push(refTo(id))
  }
  for (const { quotedBy } of posts.values()) quotedBy.sort((one, other) => one.id - other.id)
  const unpacked = { ...page, thread: { ...thread, comments } }
  pages.set(packed, unpacked)
  return unpacked
}

const postsOf = (comments: CommentView[]): PostView[] => comments.flatMap((comment) => [comment, ...comment.replies])
