import { type RefObject, useEffect, useState } from 'react'

/** Excludes the parts of the window that the top bar and the player cover. */
const rootMargin = '-60px 0px -72px'

/** Returns whether the visitor has scrolled the element out of view. False on the server and during hydration. */
export function useLeftScreen(element: RefObject<HTMLElement | null>): boolean {
  const [hasLeft, setHasLeft] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setHasLeft(!entries.at(-1)?.isIntersecting), { rootMargin })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return hasLeft
}
