import type { ReactNode } from 'react'
import type { PostRef, PostView } from '#src/contract/post.ts'
import { threadPath } from '#src/contract/thread.ts'
import type { Inline } from '#src/lib/textMarkup.ts'
import styles from './PostText.module.css'

export type PostTextProps = {
  text: string
  /** existing posts that the text links to */
  quotes: PostRef[]
  currentThreadId?: number
  highlights?: PostView['highlights']
  cards?: PostView['cards']
}

/** Returns a function that renders the parts of a text. Nodes never move within a text, so the index is a stable key. */
export const createPhraseRenderer =
  ({ quotes, currentThreadId }: PostTextProps) =>
  (node: Inline, place: number): ReactNode => {
    if (node.kind === 'text') return node.text
    if (node.kind === 'break') return <br key={place} />
    if (node.kind === 'postLink') {
      const target = quotes.find((quote) => quote.id === node.id)
      return <PostLink key={place} id={node.id} target={target} currentThreadId={currentThreadId} />
    }
    return (
      node.kind === 'link' && (
        <a key={place} href={node.href} rel="nofollow ugc noopener" target="_blank">
          {node.text}
        </a>
      )
    )
  }

type PostLinkProps = { id: number; target: PostRef | undefined; currentThreadId: number | undefined }

function PostLink({ id, target, currentThreadId }: PostLinkProps) {
  if (!target) return <span>{`>>${id}`}</span>
  const page = target.threadId === currentThreadId ? '' : threadPath(target.boardId, target.threadId)
  return <a className={styles.quoteLink} href={`${page}#p${id}`}>{`>>${id}`}</a>
}
