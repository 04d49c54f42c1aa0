import type { HighlightRuns } from '#src/contract/highlightStyles.ts'
import { t } from '#src/i18n/t.ts'
import { type HighlightClasses, renderHighlights } from '#src/lib/highlightRuns.ts'
import type { CodeBlock as Block } from '#src/lib/markup.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import highlightStyles from '#src/ui/Highlights.module.css'
import { useHydrated } from '#src/ui/hydration.ts'
import styles from './CodeBlock.module.css'

const NO_HIGHLIGHTS: HighlightRuns = []

type CodeBlockProps = { block: Block; highlights: HighlightRuns | undefined }

/** Shows code with its language, and a button that copies it once the block is hydrated. */
export function CodeBlock({ block: { language, text }, highlights = NO_HIGHLIGHTS }: CodeBlockProps) {
  const isHydrated = useHydrated()
  return (
    <figure className={styles.block}>
      <figcaption className={styles.bar}>
        {language || t('board.code')}
        {isHydrated && <CopyButton text={text} label={t('board.copyCode')} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus */}
      <pre className={styles.text} tabIndex={0}>
        {/* Uses an HTML string, because React would keep an object for each span. */}
        <code
          // biome-ignore lint/security/noDangerouslySetInnerHtml: renderHighlights escapes all text
          dangerouslySetInnerHTML={{ __html: renderHighlights(text, highlights, highlightStyles as HighlightClasses) }}
        />
      </pre>
    </figure>
  )
}
