import { useEffect, useState } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import { SITE_NOTICE } from '#src/lib/siteNotice.ts'
import styles from './SiteNotice.module.css'

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
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
