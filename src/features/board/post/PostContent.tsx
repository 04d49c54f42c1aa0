import type { PostView } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { PostImages } from './PostImages.tsx'
import { PostLinks } from './PostLinks.tsx'
import { PostText } from './PostText.tsx'

type PostContentProps = {
  post: Pick<
    PostView,
    | 'id'
    | 'content'
    | 'quotes'
    | 'highlights'
    | 'cards'
    | 'picture'
    | 'pictures'
    | 'spoiler'
    | 'links'
    | 'note'
    | 'deleted'
  >
  /** undefined outside a thread's page */
  threadId: number | undefined
  /** maximum height of a single image, in CSS px */
  imageHeight: number
  eager?: boolean
}

/** Shows what a post's author wrote and added. */
export function PostContent({ post, threadId, imageHeight, eager }: PostContentProps) {
  if (post.deleted) return <p className="hint">{t('board.deletedByAuthor')}</p>
  return (
    <>
      <PostText
        text={post.content}
        quotes={post.quotes}
        currentThreadId={threadId}
        highlights={post.highlights}
        cards={post.cards}
      />
      <PostImages post={post} height={imageHeight} eager={eager} />
      <PostLinks links={post.links} />
      {post.note && (
        <p className="hint">
          <strong>({post.note})</strong>
        </p>
      )}
    </>
  )
}
