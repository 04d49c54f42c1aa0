import { useEffect, useEffectEvent } from 'react'
import { t } from '#src/i18n/t.ts'

// The service worker (public/service-worker.js) puts the image that another app shared here.
const CACHE = 'shared'
const IMAGE = '/shared-image'

/** Takes the image that another app shared with the installed site. Only the visitor's upload sends it. */
export function useSharedImage(onFile: (file: File) => void, onError: (text: string) => void) {
  const take = useEffectEvent((shared: File | string | null) => {
    if (typeof shared === 'string') onError(shared)
    else if (shared) onFile(shared)
  })

  useEffect(() => {
    const outcome = new URLSearchParams(location.search).get('shared')
    if (outcome === null) return
    // A reload must not take it again.
    history.replaceState(history.state, '', location.pathname)
    if (outcome === 'too-large') take(t('image.size'))
    else void readSharedImage().then(take)
  }, [])
}

async function readSharedImage(): Promise<File | null> {
  const cache = await caches.open(CACHE)
  const answer = await cache.match(IMAGE)
  if (!answer) return null
  await cache.delete(IMAGE)
  const name = decodeURIComponent(answer.headers.get('x-file-name') ?? 'image')
  return new File([await answer.blob()], name, { type: answer.headers.get('content-type') ?? '' })
}
