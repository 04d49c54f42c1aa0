import { type ComponentProps, useRef, useState } from 'react'
import { type PostView, postFormPath } from '#src/contract/post.ts'
import { loadCode } from '#src/ui/useLazyComponent.ts'
import type { PostedOn } from './PostFields.tsx'
import { type PostLocation, threadOf } from './postLocation.ts'

const importDialog = () => import('./PostDialog.tsx')
type PostDialog = Awaited<ReturnType<typeof importDialog>>['PostDialog']

/** Preloads the dialog on hover and focus. The visitor sees a failure only when opening the dialog. */
export const preload = () => void importDialog().catch(() => undefined)

/** @param lines quoted lines of the post `quote` */
export type WritePost = (location: PostLocation, quote?: number, lines?: string) => void

type DialogState = { Dialog: PostDialog } & Pick<ComponentProps<PostDialog>, 'request' | 'open'>

export function usePostDialog(onPosted: (post: PostView, location: PostLocation) => void, on: PostedOn) {
  const [state, setState] = useState<DialogState | null>(null)
  /** gets the focus back */
  const opener = useRef<Element | null>(null)

  async function write(location: PostLocation, quote?: number, lines?: string) {
    const focused = document.activeElement
    const loaded = await loadCode(importDialog)
    if (!loaded) return
    if (!focused?.closest('dialog')) opener.current = focused
    setState({ Dialog: loaded.PostDialog, request: { location, quote, lines }, open: true })
  }

  if (!state) return { dialog: null, isOpen: false, write }
  const { Dialog, request, open } = state
  const dialog = (
    <Dialog
      key={postFormPath(threadOf(request.location))}
      request={request}
      open={open}
      on={on}
      onClose={(hadFocus) => {
        setState({ ...state, open: false })
        if (hadFocus && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
      }}
      onPosted={onPosted}
    />
  )
  return { dialog, isOpen: open, write }
}
