import { memo, Suspense, useMemo } from 'react'
import { hasRichMarkup, parseText } from '#src/lib/textMarkup.ts'
import { RichText } from './lazyRichText.ts'
import styles from './PostText.module.css'
import { createPhraseRenderer, type PostTextProps } from './postPhrase.tsx'

export const PostText = memo(function PostText(props: PostTextProps) {
  const { text, cards } = props
  const isRich = cards !== undefined || hasRichMarkup(text)
  const blocks = useMemo(() => (isRich ? [] : parseText(text)), [text, isRich])
  const renderPhrase = createPhraseRenderer(props)
  if (isRich)
    return (
      <Suspense fallback={<div className={styles.content}>{text.split(/\[spoiler\]/i)[0]}</div>}>
        <RichText {...props} />
      </Suspense>
    )
  return (
    <div className={styles.content}>
      {blocks.map(
        (block, place) =>
          block.kind !== 'code' && (
            // biome-ignore lint/suspicious/noArrayIndexKey: as in createPhraseRenderer
            <p key={place} className={block.kind === 'quote' ? styles.greentext : undefined}>
              {block.children.map(renderPhrase)}
            </p>
          ),
      )}
    </div>
  )
})
