import { POST_WIDTH } from '#server/features/board/write/images.ts'
import { type CommentView, imageHeights, type PostView, picturesOf } from '#src/contract/post.ts'
import { fitInside } from '#src/lib/fitInside.ts'

/** Characters on a line of a post in a wide window. */
const CHARACTERS = 86
/** Lines. */
const BLOCK_GAP = 0.3
const REPLY_FRAME = 1.5
const REPLIES_FRAME = 1.3
const LINKS = 1.4
const CARD = 4
const IMAGE_FRAME = 1.7
/** Pixels. */
const LINE = 25
const THUMBNAIL = 180

/**
 * Returns how many lines of text are about as high as a comment with its replies, in a wide window; undefined for one
 * line. `src/features/board/post/post.css` reserves that height while the comment is out of view.
 */
export function countLines({ replies, ...comment }: CommentView): number | undefined {
  const frames = replies.length && REPLIES_FRAME + replies.length * REPLY_FRAME
  const own = linesOf(comment, imageHeights.comment)
  const lines = Math.round(replies.reduce((sum, reply) => sum + linesOf(reply, imageHeights.reply), own + frames))
  return lines === 1 ? undefined : lines
}

function linesOf(post: PostView, imageHeight: number): number {
  const images = picturesOf(post)
  const [first] = images
  const shown = first && fitInside(first.display, { width: POST_WIDTH, height: imageHeight }).height
  return (
    textLines(post.content) +
    Math.min(post.links.length, 1) * LINKS +
    (post.cards?.length ?? 0) * CARD +
    (shown ? IMAGE_FRAME + (images.length > 1 ? THUMBNAIL : shown) / LINE : 0)
  )
}

/** Blocks of quotes and of other text have a gap between them, as paragraphs do. */
function textLines(content: string): number {
  let lines = 0
  let last = ''
  for (const row of content.split('\n')) {
    const kind = row.trim() === '' ? '' : /^>(?!>\d)/.test(row) ? 'quote' : 'text'
    if (kind !== '' && kind !== last) lines += BLOCK_GAP
    // Chinese, Japanese and Korean characters and emoji are twice as wide.
    lines += Math.ceil(row.trim().replace(/[\u2e80-\uffff]/g, 'xx').length / CHARACTERS)
    last = kind
  }
  return lines - BLOCK_GAP
}
