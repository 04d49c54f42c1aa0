import { Fragment, memo, type ReactNode, useMemo, useState } from 'react'
import type { PostRef } from '#src/contract/board.ts'
import { threadPath } from '#src/contract/boardPaths.ts'
import { type Inline, type Phrase, parseMarkup, type Spoiler } from '#src/lib/markup.ts'
import styles from './PostText.module.css'

type PostTextProps = {
  text: string
  /** the existing posts among those the text links to */
  quotes: PostRef[]
  /** posts of this thread are linked within the page */
  currentThreadId?: number
}

/** Text of a post: greentext, post links, spoilers and addresses, all of it escaped. */
export const PostText = memo(function PostText({ text, quotes, currentThreadId }: PostTextProps) {
  const blocks = useMemo(() => parseMarkup(text), [text])
  const [revealed, setRevealed] = useState<readonly number[]>([])
  const targets = new Map(quotes.map((quote) => [quote.id, quote]))

  const phrase = (node: Phrase): ReactNode => {
    if (node.kind === 'text') return node.text
    if (node.kind === 'break') return <br />
    if (node.kind === 'postLink') return <PostLink id={node.id} target={targets.get(node.id)} here={currentThreadId} />
    return (
      <a href={node.href} rel="nofollow ugc noopener" target="_blank">
        {node.text}
      </a>
    )
  }

  const inline = (node: Inline): ReactNode => {
    if (node.kind !== 'spoiler') return phrase(node)
    return (
      <SpoilerPiece
        spoiler={node}
        revealed={revealed.includes(node.id)}
        onChange={(show) => setRevealed((ids) => (show ? [...ids, node.id] : ids.filter((id) => id !== node.id)))}
      >
        {each(node.children, phrase)}
      </SpoilerPiece>
    )
  }

  return (
    <div className={styles.content}>
      {each(blocks, (block) => (
        <p className={block.kind === 'quote' ? styles.greentext : undefined}>{each(block.children, inline)}</p>
      ))}
    </div>
  )
})

function each<Node>(nodes: Node[], render: (node: Node) => ReactNode): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text is parsed as a whole, its nodes never move
  return nodes.map((node, index) => <Fragment key={index}>{render(node)}</Fragment>)
}

function PostLink({ id, target, here }: { id: number; target: PostRef | undefined; here: number | undefined }) {
  if (!target) return <span>{`>>${id}`}</span>
  const page = target.threadId === here ? '' : threadPath(target.boardId, target.threadId)
  return <a className={styles.quoteLink} href={`${page}#p${id}`}>{`>>${id}`}</a>
}

type SpoilerPieceProps = {
  spoiler: Spoiler
  revealed: boolean
  onChange: (revealed: boolean) => void
  children: ReactNode
}

/**
 * Hidden text stays out of sight, of the tab order and of screen readers until it is revealed: by pointing at it, by a
 * tap anywhere on it, or with the button, which is there for keyboards and screen readers.
 */
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
