import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { PostView } from '#src/contract/board.ts'
import { preloadCode } from '#src/ui/preloadCode.ts'
import { type PostLocation, postUrl } from './postLocation.ts'

const importDialog = () => import('./PostDialog.tsx')
const PostDialog = lazy(importDialog)

/** Preloads the dialog. A failure shows when the visitor opens it. */
const preload = () => void importDialog().catch(() => undefined)

type Target = { location: PostLocation; quote?: number; open: boolean }

/** Loads the dialog before the visitor opens it. @returns the `dialog` element, and `write` to open it */
export function usePostDialog(onPosted: (post: PostView, location: PostLocation) => void) {
  const [target, setTarget] = useState<Target | null>(null)

  const write = useCallback(async (location: PostLocation, quote?: number) => {
    if (await preloadCode(importDialog)) setTarget({ location, quote, open: true })
  }, [])
  const dialog: ReactNode = target && (
    <Suspense fallback={null}>
      <PostDialog
        key={postUrl(target.location)}
        {...target}
        onClose={() => setTarget({ ...target, open: false })}
        onPosted={(post) => onPosted(post, target.location)}
      />
    </Suspense>
  )
  return { dialog, write }
}

/** Props of buttons that open the dialog: preload it on hover and focus. */
export const preloading = { onPointerEnter: preload, onFocus: preload }
