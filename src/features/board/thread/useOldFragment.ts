import { useEffect } from 'react'
import { trpc } from '#src/lib/trpc.ts'

/** `#45` and `#q45` of vichan and jschan, `#p45` of 4chan. */
const OLD_FRAGMENT = /^#[pq]?([1-9]\d{0,14})$/

/** Goes to the post that a fragment of an old URL names. The server redirects the URL without seeing its fragment. */
export function useOldFragment(threadId: number): void {
  useEffect(() => {
    const follow = async () => {
      const { hash } = location
      const number = OLD_FRAGMENT.exec(hash)?.[1]
      if (number === undefined || document.getElementById(hash.slice(1))) return
      const imported = await findImportedId(threadId, number)
      const target = `#p${imported ?? number}`
      if (location.hash !== hash || target === hash) return
      if (imported !== null || document.getElementById(target.slice(1))) location.replace(target)
    }
    void follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [threadId])
}

/** Without an answer, the page stays at its start. */
const findImportedId = async (threadId: number, number: string): Promise<number | null> => {
  try {
    return await (await trpc()).board.importedId.query({ threadId, number })
  } catch {
    return null
  }
}
