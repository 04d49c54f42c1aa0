import { useEffect, useState } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import type { SiteSwitch } from '#src/contract/switches.ts'
import { t } from '#src/i18n/t.ts'
import { SITE_NOTICE } from '#src/lib/siteNotice.ts'

const notices: Record<SiteSwitch, () => string> = {
  'text-only': () => t('switch.textOnly'),
  'hold-posts': () => t('switch.holdPosts'),
  'proof-of-work': () => t('switch.proofOfWork'),
  'members-threads': () => t('switch.membersThreads'),
  'uploads-off': () => t('switch.uploadsOff'),
  'pastes-off': () => t('switch.pastesOff'),
  'read-only': () => t('switch.readOnly'),
}

/** Shows visitors which parts of the site are switched off. */
export function SiteNotice() {
  const { notice } = usePageContext()
  const [switches, setSwitches] = useState(notice ?? [])

  useEffect(() => {
    if (notice) setSwitches(notice)
  }, [notice])

  useEffect(() => {
    const show = (event: Event) => setSwitches((event as CustomEvent<SiteSwitch[]>).detail)
    window.addEventListener(SITE_NOTICE, show)
    return () => window.removeEventListener(SITE_NOTICE, show)
  }, [])

  return (
    <div className="notice" role="status">
      {switches.map((name) => (
        <p key={name}>{notices[name]()}</p>
      ))}
    </div>
  )
}
