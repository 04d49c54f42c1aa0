import { type BoardView, boardPath } from '#src/contract/board.ts'
import { type PostView, picturesOf } from '#src/contract/post.ts'
import { type ThreadView, threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { excerpt } from '#src/lib/excerpt.ts'
import { breadcrumbs, createStructuredData, type StructuredData } from '#src/lib/structuredData.ts'

/** Limit the page size: crawlers read the other posts in the page itself. */
const MAX_COMMENTS = 5
const MAX_REPLIES = 3
const MAX_POST_CHARACTERS = 300
const MAX_OPENING_CHARACTERS = 5000

type Place = { siteUrl: string; boardsName: string }

export const boardStructuredData = (board: BoardView, place: Place): StructuredData[] => [
  breadcrumbs(trailOf(board, place)),
]

export function threadStructuredData(board: BoardView, thread: ThreadView, place: Place): StructuredData[] {
  const { siteUrl } = place
  const url = `${siteUrl}${threadPath(board.id, thread.id)}`
  const count = thread.commentCount + thread.replyCount
  const posting = createStructuredData('DiscussionForumPosting', {
    '@id': url,
    url,
    mainEntityOfPage: url,
    headline: thread.title,
    ...postData(thread, MAX_OPENING_CHARACTERS, siteUrl),
    isPartOf: { '@type': 'CollectionPage', name: board.name, url: `${siteUrl}${boardPath(board.id)}` },
    commentCount: count,
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/CommentAction',
      userInteractionCount: count,
    },
    comment: thread.comments.slice(0, MAX_COMMENTS).map(({ replies, ...comment }) => ({
      ...commentOf(comment, url, siteUrl),
      ...(replies.length > 0 && {
        comment: replies.slice(0, MAX_REPLIES).map((reply) => commentOf(reply, url, siteUrl)),
      }),
    })),
  })
  return [posting, breadcrumbs([...trailOf(board, place), { name: thread.title, url }])]
}

const trailOf = (board: BoardView, { siteUrl, boardsName }: Place) => [
  { name: boardsName, url: `${siteUrl}/dtpchan` },
  { name: `/${board.id}/ - ${board.name}`, url: `${siteUrl}${boardPath(board.id)}` },
]

const commentOf = (post: PostView, threadUrl: string, siteUrl: string) => ({
  '@type': 'Comment',
  url: `${threadUrl}#p${post.id}`,
  ...postData(post, MAX_POST_CHARACTERS, siteUrl),
})

function postData(post: PostView, characters: number, siteUrl: string) {
  const datePublished = post.createdAt.toISOString()
  if (post.deleted) return { text: t('board.deletedByAuthor'), creativeWorkStatus: 'Deleted', datePublished }
  const images = (post.spoiler ? [] : picturesOf(post)).map(({ url, width, height }) => ({
    '@type': 'ImageObject',
    url: `${siteUrl}${url}`,
    width,
    height,
  }))
  return {
    // Imported posts can be nothing but a picture, and search engines refuse an empty text.
    text: excerpt(post.content, characters) || t('ui.postNumber', { id: post.id }),
    author: { '@type': 'Person', name: post.author },
    datePublished,
    ...(images.length > 0 && { image: images.length > 1 ? images : images[0] }),
  }
}

const MAX_CHARACTERS = 160
/** A shorter text does not show what the thread is about. */
const MIN_LETTERS = 50

/** Describes a thread by the beginning of its text. Adds author, image and comments to a short text. */
export function describeThread({
  content,
  author,
  boardId,
  picture,
  commentCount,
  deleted,
}: Omit<ThreadView, 'comments'>): string {
  const text = excerpt(content, MAX_CHARACTERS)
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters >= MIN_LETTERS) return text
  if (deleted) return t('board.threadAboutDeleted', { board: boardId, count: commentCount })
  const values = { board: boardId, author, count: commentCount }
  const about = picture ? t('board.threadAboutPicture', values) : t('board.threadAbout', values)
  return letters > 0 ? `${text} - ${about}` : about
}
