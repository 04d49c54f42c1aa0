import { useEffect } from 'react'
import { usePageContext } from 'vike-react/usePageContext'
import type { SiteSwitch } from '#src/contract/switches.ts'
import { t } from '#src/i18n/t.ts'
import { siteNotice } from '#src/lib/siteNotice.ts'

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
  const latest = siteNotice.useValue()

  useEffect(() => {
    if (notice) siteNotice.set(notice)
  }, [notice])

  return (
    <div className="notice" role="status">
      {(latest ?? notice ?? []).map((name) => (
        <p key={name}>{notices[name]()}</p>
      ))}
    </div>
  )
}
