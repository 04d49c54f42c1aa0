import { FileText } from 'lucide-react'
import { useRef } from 'react'
import { type HighlightedPaste, pasteLanguages } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import '#src/ui/highlights.css'
import { useLineRange } from './fragment.ts'
import styles from './PasteCode.module.css'
import { countLines, type LineClasses, renderLines } from './renderLines.ts'

type PasteCodeProps = HighlightedPaste & { rawHref: string | null }

export function PasteCode({ paste: { content, language }, highlights, fullSize, rawHref }: PasteCodeProps) {
  const code = useRef<HTMLElement>(null)
  const html = renderLines(content, highlights, styles as LineClasses)
  const shownLines = countLines(content)
  const { lines, bytes } = fullSize ?? { lines: shownLines, bytes: new TextEncoder().encode(content).length }
  useLineRange(code, content)

  return (
    <section className={`panel ${styles.panel}`} aria-label={t('field.content')}>
      <header className={`cluster ${styles.bar}`}>
        <span className="data">{language ? pasteLanguages[language] : t('paste.plainText')}</span>{' '}
        <span className="data">{t('paste.lines', { count: lines })}</span>{' '}
        <span className="data">{formatBytes(bytes)}</span>{' '}
        <div className={`spread ${styles.tools}`}>
          {rawHref && (
            // `external`, because the client router cannot render the raw text.
            <ButtonLink variant="text" href={rawHref} rel="external">
              <FileText className="icon icon-s" />
              {t('paste.raw')}
            </ButtonLink>
          )}
          <label className={`cluster small ${styles.switch}`}>
            <Checkbox defaultChecked={language === null} />
            {t('paste.wrapLines')}
          </label>
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus */}
      <pre className={styles.text} tabIndex={0} translate="no">
        {/* Uses an HTML string: a long text has about 10,000 spans, and React would keep an object for each. */}
        <code
          ref={code}
          className={styles.code}
          data-digits={String(shownLines).length}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: renderLines escapes all text
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </pre>
    </section>
  )
}
