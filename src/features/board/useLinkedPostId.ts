import { useEffect, useState } from 'react'

/** Returns the id of the post in the URL hash. CSS `:target` does not follow client-side navigation. */
export function useLinkedPostId(): number | null {
  const [linkedId, setLinkedId] = useState<number | null>(null)

  useEffect(() => {
    const follow = () => setLinkedId(Number(/^#p(\d{1,15})$/.exec(location.hash)?.[1] ?? 0) || null)
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])

  return linkedId
}
