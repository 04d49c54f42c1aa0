import { type CommentView, imageHeights, type PostView, picturesOf } from '#src/contract/board.ts'
import type { ImageView } from '#src/contract/image.ts'
import { fitInside } from '#src/lib/fitInside.ts'

/** The text column of a small phone. */
const COLUMN = { pixels: 320, characters: 30, backlinks: 4 }

/** Heights in rem. */
const LINE = 1.8
const LINK = 2
const COMMENT_FRAME = 9
const REPLY_FRAME = 5
const REPLY_SUMMARY = 3
const CARD = 6.5
const IMAGE_FRAME = 2.75
const PIXEL = 1 / 16

/** reserved by Comment.module.css without an estimate */
const USUAL_HEIGHT = 20
/** Equal estimates compress better. */
const STEP = 8

/**
 * Returns about how high a comment with its replies is on a phone, in rem, or undefined if it has at most the usual
 * height. The estimate is rather too high than too low: the links and buttons of a comment that is higher than its
 * reserved space would overlap those of the next one.
 */
export function estimateCommentHeight(comment: CommentView): number | undefined {
  const replies = comment.replies.map((reply) => REPLY_FRAME + contentHeight(reply, imageHeights.reply))
  const sum = replies.reduce((height, reply) => height + reply, replies.length && REPLY_SUMMARY)
  const height = COMMENT_FRAME + contentHeight(comment, imageHeights.comment) + sum
  return height > USUAL_HEIGHT ? Math.ceil(height / STEP) * STEP : undefined
}

function contentHeight(post: PostView, imageHeight: number): number {
  const { content, links, quotedBy, cards = [] } = post
  const lines = content
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(columns(line) / COLUMN.characters)), 0)
  const backlinks = Math.ceil(quotedBy.length / COLUMN.backlinks)
  const images = imagesHeight(picturesOf(post), imageHeight)
  return lines * LINE + (links.length + backlinks) * LINK + cards.length * CARD + images
}

function imagesHeight(images: ImageView[], imageHeight: number): number {
  // A phone shows two thumbnails beside each other, with captions of two lines.
  const columns = images.length > 1 ? 2 : 1
  const box = { width: COLUMN.pixels / columns, height: imageHeight }
  const tallest = Math.max(
    0,
    ...images.map((image) => fitInside(columns > 1 ? image.preview : image.display, box).height),
  )
  return Math.ceil(images.length / columns) * (IMAGE_FRAME + (columns - 1) * LINE + tallest * PIXEL)
}

/** Counts Chinese, Japanese and Korean characters and emoji twice, because they are wider. */
const columns = (line: string) => line.length + (line.match(/[\u2e80-\uffff]/g)?.length ?? 0)
