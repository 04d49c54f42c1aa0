import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { createStore } from '#src/lib/store.ts'
import { DeleteDialog } from '#src/ui/DeleteDialog.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { deletionOf } from './deletions.ts'
import { ownPosts } from './ownPosts.ts'
import type { ControlledPost } from './postActions.ts'

type PostControlsProps = {
  post: ControlledPost
  moderates: boolean
  /** called after the post was deleted and the dialog has restored the focus */
  onDeleted: (post: ControlledPost) => void
}
type Request = PostControlsProps

/** What the moderator or author wants to do. The dialog is not part of the post, because the post disappears. */
const request = createStore<Request | null>(null)

export function PostControls(props: PostControlsProps) {
  const { kind, id } = props.post
  const isOwn = ownPosts.useValue().some((own) => own.id === id)
  if (!props.moderates && !isOwn) return null
  return <IconButton icon={Trash2} label={`Delete ${kind} No. ${id}`} danger onClick={() => request.set(props)} />
}

/** Renders the dialogs of all posts on a page. */
export function PostControlsHost() {
  const requested = request.useValue()
  const [shown, setShown] = useState<Request | null>(null)
  // Keeps the last request while its dialog closes.
  if (requested && requested !== shown) setShown(requested)
  if (!shown) return null
  const { post, onDeleted } = shown
  return (
    <DeleteDialog
      key={post.id}
      deletion={deletionOf(post)}
      open={requested !== null}
      onClose={() => request.set(null)}
      onDeleted={() => onDeleted(post)}
    />
  )
}
