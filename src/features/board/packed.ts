import type { CommentView, PostRef, PostView, ThreadView } from '#src/contract/board.ts'
import type { ImageView } from '#src/contract/image.ts'
import type { ThreadPage } from './merge.ts'

/**
 * A thread's page on its way to the browser: its comments as one text, for whatever gives them to the page looks at each
 * value of what it is given, and leaves out nothing that is empty.
 */
export type PackedThread = Omit<ThreadPage, 'thread'> & { thread: Omit<ThreadView, 'comments'>; comments: string }

/** `rest` is missing where nothing is in it. */
type PackedPost = [id: number, author: string, content: string, createdAt: string, rest?: Rest]
type Rest = {
  image?: string | null
  picture?: ImageView
  links?: string[]
  quotes?: PackedRef[]
  quotedBy?: PackedRef[]
  replies?: PackedPost[]
}
/** A post of the same thread by its number alone. */
type PackedRef = number | PostRef

/** What was packed here, or unpacked before. */
const pages = new WeakMap<PackedThread, ThreadPage>()

export function packThread(page: ThreadPage): PackedThread {
  const { comments, ...thread } = page.thread
  const packed = { ...page, thread, comments: JSON.stringify(comments.map((one) => packComment(one, thread.id))) }
  pages.set(packed, page)
  return packed
}

export function unpackThread(packed: PackedThread): ThreadPage {
  const known = pages.get(packed)
  if (known) return known
  const { thread, comments, ...page } = packed
  const posts = JSON.parse(comments) as PackedPost[]
  const unpacked = { ...page, thread: { ...thread, comments: posts.map((post) => unpackComment(post, thread)) } }
  pages.set(packed, unpacked)
  return unpacked
}

const packComment = ({ replies, ...comment }: CommentView, threadId: number): PackedPost =>
  pack(
    comment,
    threadId,
    replies.map((reply) => pack(reply, threadId, [])),
  )

function pack(post: PostView, threadId: number, replies: PackedPost[]): PackedPost {
  const { id, author, content, createdAt, image, picture, links, quotes, quotedBy } = post
  const refs = (posts: PostRef[]) => posts.map((ref) => (ref.threadId === threadId ? ref.id : ref))
  const rest: Rest = {
    ...(picture && { image, picture }),
    ...(links.length > 0 && { links }),
    ...(quotes.length > 0 && { quotes: refs(quotes) }),
    ...(quotedBy.length > 0 && { quotedBy: refs(quotedBy) }),
    ...(replies.length > 0 && { replies }),
  }
  const packed: PackedPost = [id, author, content, createdAt.toISOString()]
  if (Object.keys(rest).length > 0) packed.push(rest)
  return packed
}

type Place = Pick<ThreadView, 'id' | 'boardId'>

const unpackComment = (packed: PackedPost, place: Place): CommentView => ({
  ...unpack(packed, place),
  replies: packed[4]?.replies?.map((reply) => unpack(reply, place)) ?? [],
})

function unpack([id, author, content, createdAt, rest = {}]: PackedPost, place: Place): PostView {
  const { image = null, picture = null, links = [], quotes = [], quotedBy = [] } = rest
  const ref = (packed: PackedRef): PostRef =>
    typeof packed === 'number' ? { id: packed, threadId: place.id, boardId: place.boardId } : packed
  return {
    id,
    author,
    content,
    createdAt: new Date(createdAt),
    image,
    picture,
    links,
    quotes: quotes.map(ref),
    quotedBy: quotedBy.map(ref),
  }
}
