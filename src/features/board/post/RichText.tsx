import { type ReactNode, useMemo, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { type Inline, parseMarkup, type Spoiler } from '#src/lib/markup.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { LinkCards } from './LinkCards.tsx'
import styles from './PostText.module.css'
import { createPhraseRenderer, type PostTextProps } from './postPhrase.tsx'

/** Shows a text with code or spoilers, and cards of the items that it links to. */
export function RichText(props: PostTextProps) {
  const { text, highlights, cards } = props
  const blocks = useMemo(() => parseMarkup(text), [text])
  const [revealed, setRevealed] = useState<readonly number[]>([])
  const renderPhrase = createPhraseRenderer(props)

  const inline = (node: Inline, place: number): ReactNode => {
    if (node.kind === 'code') return <code key={place}>{node.text}</code>
    if (node.kind !== 'spoiler') return renderPhrase(node, place)
    return (
      <SpoilerPiece
        key={place}
        spoiler={node}
        revealed={revealed.includes(node.id)}
        onChange={(show) => setRevealed((ids) => (show ? [...ids, node.id] : ids.filter((id) => id !== node.id)))}
      >
        {node.children.map(inline)}
      </SpoilerPiece>
    )
  }

  let code = 0
  return (
    <div className={styles.content}>
      {blocks.map((block, place) =>
        block.kind === 'code' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: as in createPhraseRenderer
          <CodeBlock key={place} block={block} highlights={highlights?.[code++]} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as in createPhraseRenderer
          <p key={place} className={block.kind === 'quote' ? styles.greentext : undefined}>
            {block.children.map(inline)}
          </p>
        ),
      )}
      {cards && <LinkCards cards={cards} />}
    </div>
  )
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
          aria-label={t('board.spoiler')}
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
