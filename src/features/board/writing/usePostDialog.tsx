import { type ComponentProps, useCallback, useState } from 'react'
import { type PostView, postFormPath } from '#src/contract/post.ts'
import { loadCode } from '#src/ui/loadCode.ts'
import type { PostedOn } from './PostFields.tsx'
import type { PostLocation } from './postLocation.ts'

const importDialog = () => import('./PostDialog.tsx')
type PostDialog = Awaited<ReturnType<typeof importDialog>>['PostDialog']

/** Preloads the dialog on hover and focus. The visitor sees a failure only when opening the dialog. */
export const preload = () => void importDialog().catch(() => undefined)

/** @param selected text of the quoted post */
export type WritePost = (location: PostLocation, quote?: number, selected?: string) => void

type DialogState = { Dialog: PostDialog } & Pick<ComponentProps<PostDialog>, 'location' | 'quote' | 'selected' | 'open'>

export function usePostDialog(onPosted: (post: PostView, location: PostLocation) => void, on: PostedOn) {
  const [state, setState] = useState<DialogState | null>(null)

  const write = useCallback(async (location: PostLocation, quote?: number, selected?: string) => {
    const loaded = await loadCode(importDialog)
    if (loaded) setState({ Dialog: loaded.PostDialog, location, quote, selected, open: true })
  }, [])

  if (!state) return { dialog: null, write }
  const { Dialog, location, ...props } = state
  const dialog = (
    <Dialog
      key={postFormPath(location)}
      location={location}
      on={on}
      {...props}
      onClose={() => setState({ ...state, open: false })}
      onPosted={onPosted}
    />
  )
  return { dialog, write }
}
