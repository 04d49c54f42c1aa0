import { memo, type ReactNode, useMemo, useState } from 'react'
import type { PostRef } from '#src/contract/board.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import { type Inline, type Phrase, parseMarkup, type Spoiler } from '#src/lib/markup.ts'
import styles from './PostText.module.css'

type PostTextProps = {
  text: string
  /** existing posts that the text links to */
  quotes: PostRef[]
  currentThreadId?: number
}

export const PostText = memo(function PostText({ text, quotes, currentThreadId }: PostTextProps) {
  const blocks = useMemo(() => parseMarkup(text), [text])
  const [revealed, setRevealed] = useState<readonly number[]>([])

  // Nodes never move within a text, so the index is a stable key.
  const phrase = (node: Phrase, place: number): ReactNode => {
    if (node.kind === 'text') return node.text
    if (node.kind === 'break') return <br key={place} />
    if (node.kind === 'postLink') {
      const target = quotes.find((quote) => quote.id === node.id)
      return <PostLink key={place} id={node.id} target={target} currentThreadId={currentThreadId} />
    }
    return (
      <a key={place} href={node.href} rel="nofollow ugc noopener" target="_blank">
        {node.text}
      </a>
    )
  }

  const inline = (node: Inline, place: number): ReactNode => {
    if (node.kind !== 'spoiler') return phrase(node, place)
    return (
      <SpoilerPiece
        key={place}
        spoiler={node}
        revealed={revealed.includes(node.id)}
        onChange={(show) => setRevealed((ids) => (show ? [...ids, node.id] : ids.filter((id) => id !== node.id)))}
      >
        {node.children.map(phrase)}
      </SpoilerPiece>
    )
  }

  return (
    <div className={styles.content}>
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <p key={place} className={block.kind === 'quote' ? styles.greentext : undefined}>
          {block.children.map(inline)}
        </p>
      ))}
    </div>
  )
})

type PostLinkProps = { id: number; target: PostRef | undefined; currentThreadId: number | undefined }

function PostLink({ id, target, currentThreadId }: PostLinkProps) {
  if (!target) return <span>{`>>${id}`}</span>
  const page = target.threadId === currentThreadId ? '' : threadPath(target.boardId, target.threadId)
  return <a className={styles.quoteLink} href={`${page}#p${id}`}>{`>>${id}`}</a>
}

type SpoilerPieceProps = {
  spoiler: Spoiler
  revealed: boolean
  onChange: (revealed: boolean) => void
  children: ReactNode
}

/** Hides text from sight, tab order and screen readers until hover, a tap or the button reveals it. */
function SpoilerPiece({ spoiler, revealed, onChange, children }: SpoilerPieceProps) {
  return (
    // biome-ignore lint/a11y: the bar only widens what the button inside can do; a button cannot hold links
    <span className={styles.spoiler} data-revealed={revealed || undefined} onClick={() => revealed || onChange(true)}>
      {!spoiler.continued && (
        <button
          type="button"
          className={styles.reveal}
          aria-label="Spoiler"
          aria-expanded={revealed}
          onClick={(event) => {
            event.stopPropagation()
            onChange(!revealed)
          }}
        />
      )}
      <span className={styles.hidden}>{children}</span>
    </span>
  )
}
