import {
  boardLimits,
  type CommentView,
  type PostRef,
  type PostView,
  type ThreadPage,
  type ThreadView,
} from '#src/contract/board.ts'
import type { ImageView } from '#src/contract/image.ts'

/**
 * A thread's page on its way to the browser. Its comments are one text, for whatever puts the data of a page into its
 * HTML looks at each value by itself; and what is empty, or said already, is not said.
 */
export type PackedThread = Omit<ThreadPage, 'thread'> & { thread: Omit<ThreadView, 'comments'>; comments: string }

/**
 * `step` and `later` are how far its number and its time, in ms, are from those of the post before; `more` is missing
 * where nothing is in it.
 */
type PackedPost = [step: number, author: string, content: string, later: number, more?: More]
type Before = Pick<PostView, 'id' | 'createdAt'>
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
  const quotesOf = new Map(postsOf(comments).map(({ id, quotes }) => [id, quotes]))
  const refs = (posts: PostRef[]) => posts.map((ref) => (ref.threadId === thread.id ? ref.id : ref))
  let before: Before = thread

  const pack = (post: PostView, replies: PostView[] = []): PackedPost => {
    const { id, author, content, createdAt, image, picture, links, quotes } = post
    const quotedBy = post.quotedBy.filter((ref) => !quotesOf.get(ref.id)?.some((quote) => quote.id === id))
    const packed: PackedPost = [id - before.id, author, content, createdAt.getTime() - before.createdAt.getTime()]
    before = post
    const more: More = {
      ...(picture && { image, picture }),
      ...(links.length > 0 && { links }),
      ...(quotes.length > 0 && { quotes: refs(quotes) }),
      ...(quotedBy.length > 0 && { quotedBy: refs(quotedBy) }),
      ...(replies.length > 0 && { replies: replies.map((reply) => pack(reply)) }),
    }
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

  let before: Before = thread

  const unpack = ([step, author, content, later, more = {}]: PackedPost): CommentView => {
    before = { id: before.id + step, createdAt: new Date(before.createdAt.getTime() + later) }
    return {
      ...before,
      author,
      content,
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
  for (const { quotedBy } of posts.values()) {
    quotedBy.sort((one, other) => one.id - other.id)
    quotedBy.splice(boardLimits.quotedBy)
  }
  const unpacked = { ...page, thread: { ...thread, comments } }
  pages.set(packed, unpacked)
  return unpacked
}

const postsOf = (comments: CommentView[]): PostView[] => comments.flatMap((comment) => [comment, ...comment.replies])
