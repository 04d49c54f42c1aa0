import { type ComponentProps, useCallback, useState } from 'react'
import type { PostView } from '#src/contract/board.ts'
import { loadCode } from '#src/ui/loadCode.ts'
import { type PostLocation, postUrl } from './postLocation.ts'

const importDialog = () => import('./PostDialog.tsx')
type PostDialog = Awaited<ReturnType<typeof importDialog>>['PostDialog']

/** Preloads the dialog. The visitor sees a failure only when opening the dialog. */
const preload = () => void importDialog().catch(() => undefined)

type DialogState = { Dialog: PostDialog } & Pick<ComponentProps<PostDialog>, 'location' | 'quote' | 'open'>

/** @param rules posting rules of the board, shown above the form */
export function usePostDialog(onPosted: (post: PostView, location: PostLocation) => void, rules: string) {
  const [state, setState] = useState<DialogState | null>(null)

  const write = useCallback(async (location: PostLocation, quote?: number) => {
    const loaded = await loadCode(importDialog)
    if (loaded) setState({ Dialog: loaded.PostDialog, location, quote, open: true })
  }, [])

  if (!state) return { dialog: null, write }
  const { Dialog, location, ...props } = state
  const dialog = (
    <Dialog
      key={postUrl(location)}
      location={location}
      rules={rules}
      {...props}
      onClose={() => setState({ ...state, open: false })}
      onPosted={(post) => onPosted(post, location)}
    />
  )
  return { dialog, write }
}

/** Props for buttons that open the dialog: hover and focus preload it. */
export const preloading = { onPointerEnter: preload, onFocus: preload }
