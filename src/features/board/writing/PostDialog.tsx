import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { PostView } from '#src/contract/post.ts'
import { BoardRules } from '#src/features/board/boards/BoardRules.tsx'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { NumberBy } from './NumberBy.tsx'
import { type FieldElements, type PostedOn, PostFields } from './PostFields.tsx'
import { PostProgress } from './PostProgress.tsx'
import type { PostLocation } from './postLocation.ts'
import { usePost } from './usePost.ts'

type PostDialogProps = {
  /** where the dialog opens */
  location: PostLocation
  on: PostedOn
  /** the dialog inserts a link to the post with this id */
  quote?: number
  /** text of that post; the dialog inserts its lines as quotes */
  selected?: string
  open: boolean
  onClose: () => void
  onPosted: (post: PostView, location: PostLocation) => void
}

/** Creates a thread, comment or reply. `location` must not change: each location has its own draft. */
export function PostDialog({ location: given, on, quote, selected, open, onClose, onPosted }: PostDialogProps) {
  const elements = useRef<FieldElements>({})
  const post = usePost(
    given,
    (made, location) => {
      onClose()
      if (made) onPosted(made, location)
    },
    undefined,
    on.board.defaultName,
  )
  const { location, texts, draft, refusal, progress } = post
  const { title, content, links } = draft.texts
  const prefilled = quote === undefined ? '' : `>>${quote}\n${quoteLines(selected)}`
  const typed = title !== '' || links !== '' || content.trim() !== prefilled.trim()

  // Runs after the dialog's own effect, which opens it and focuses its first field.
  const begin = useEffectEvent(() => {
    if (prefilled && !content.includes(prefilled.trim())) {
      draft.change({ content: content.trim() === '' ? prefilled : `${content.trimEnd()}\n${prefilled}` })
    }
    const first = elements.current.title ?? elements.current.content
    // Waits until the prefilled text is rendered.
    requestAnimationFrame(() => first?.setSelectionRange(first.value.length, first.value.length))
  })
  useEffect(() => {
    if (open) begin()
  }, [open])

  useEffect(() => {
    if (refusal?.field) focusInView(elements.current[refusal.field])
  }, [refusal])

  function close() {
    post.stop()
    if (!typed) draft.clear()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    post.send()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={texts.title}
      lead={<Lead location={location} />}
      dirty={typed || post.chosen.images.length > 0}
      busy={progress !== null}
      onSubmit={submit}
      foot={
        <>
          <PostProgress post={post} />
          <Button onClick={close}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" busy={progress !== null}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <BoardRules rules={on.board.rules} />
      <PostFields post={post} on={on} titled={location.kind === 'thread'} elements={elements} />
    </Dialog>
  )
}

const quoteLines = (text = '') =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `>${line}\n`)
    .join('')

function Lead({ location }: { location: PostLocation }) {
  if (location.kind === 'thread') return `/${location.boardId}/`
  if (location.kind === 'comment') return t('board.threadPlace', { board: location.boardId, id: location.threadId })
  return <NumberBy id={location.commentId} author={location.author} />
}
