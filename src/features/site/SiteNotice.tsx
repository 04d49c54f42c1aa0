import { useEffect, useState } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { useRefusal } from '#src/i18n/refusals.ts'
import { SITE_NOTICE } from '#src/lib/siteNotice.ts'
import styles from './SiteNotice.module.css'

/** The server sends English texts. */
const NoticeText = ({ text }: { text: string }) => <p suppressHydrationWarning>{useRefusal(text)}</p>

/** Shows visitors which parts of the site are switched off. */
export function SiteNotice() {
  const { notice } = usePageContext()
  const [texts, setTexts] = useState(notice ?? [])

  useEffect(() => {
    if (notice) setTexts(notice)
  }, [notice])

  useEffect(() => {
    const show = (event: Event) => setTexts((event as CustomEvent<string[]>).detail)
    window.addEventListener(SITE_NOTICE, show)
    return () => window.removeEventListener(SITE_NOTICE, show)
  }, [])

  return (
    <div className={styles.notice} role="status">
      {texts.map((text) => (
        <NoticeText key={text} text={text} />
      ))}
    </div>
  )
}
