import { useEffect, useState } from 'react'

/** Returns the id of the post in the URL hash. Replaces CSS `:target`, which ignores client-side navigation. */
export function useLinkedPostId(): number | null {
  const [linkedId, setLinkedId] = useState<number | null>(null)

  useEffect(() => {
    const update = () => setLinkedId(Number(/^#p(\d{1,15})$/.exec(location.hash)?.[1] ?? 0) || null)
    update()
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [])

  return linkedId
}
