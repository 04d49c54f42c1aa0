import { useEffect, useState } from 'react'

/** Number of the post the address points at, or null; the browser's own mark does not follow a change of page. */
export function useLinkedPostId(): number | null {
  const [marked, setMarked] = useState<number | null>(null)

  useEffect(() => {
    const follow = () => setMarked(Number(/^#p(\d{1,15})$/.exec(location.hash)?.[1] ?? 0) || null)
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])

  return marked
}
