import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { PostView } from '#src/contract/board.ts'
import { fetched } from '#src/ui/fetched.ts'
import { type PostLocation, postUrl } from './postLocation.ts'

const importDialog = () => import('./PostDialog.tsx')
const PostDialog = lazy(importDialog)

/** Fetches the dialog's code before it is asked for; a failure shows when it is. */
const preload = () => void importDialog().catch(() => undefined)

type Target = { place: PostLocation; quote?: number; open: boolean }

/**
 * The dialog in which posts are written, fetched when somebody is about to ask for it.
 * @returns `dialog` to be rendered, `write` to open it
 */
export function usePostDialog(onPosted: (post: PostView, place: PostLocation) => void) {
  const [target, setTarget] = useState<Target | null>(null)

  const write = useCallback(async (place: PostLocation, quote?: number) => {
    if (await fetched(importDialog)) setTarget({ place, quote, open: true })
  }, [])
  const dialog: ReactNode = target && (
    <Suspense fallback={null}>
      <PostDialog
        key={postUrl(target.place)}
        {...target}
        onClose={() => setTarget({ ...target, open: false })}
        onPosted={(post) => onPosted(post, target.place)}
      />
    </Suspense>
  )
  return { dialog, write }
}

/** Spread onto the keys that open the dialog: a reader on the way to them finds it ready. */
export const preloading = { onPointerEnter: preload, onFocus: preload }
