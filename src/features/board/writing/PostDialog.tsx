import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useId, useRef } from 'react'
import type { PostView } from '#src/contract/post.ts'
import { bodyOf, findPost, headOf } from '#src/features/board/post/postElements.ts'
import { t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import dialogStyles from '#src/ui/Dialog.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { blockDoubleTap, useCloseOnBack } from '#src/ui/overlayHistory.ts'
import { CaptchaField } from './CaptchaField.tsx'
import styles from './PostDialog.module.css'
import { type PostedOn, PostFields, PostRefusal } from './PostFields.tsx'
import { NumberBy } from './postFormTexts.tsx'
import { type PostLocation, threadOf } from './postLocation.ts'
import { usePost } from './usePost.ts'

/** A press of a button that opens the form, or adds a quote to the open form. */
type WriteRequest = {
  location: PostLocation
  /** the form inserts a link to the post with this id */
  quote?: number | undefined
  /** quoted lines of that post, which follow the link */
  lines?: string | undefined
}

type PostDialogProps = {
  request: WriteRequest
  on: PostedOn
  open: boolean
  /** @param hadFocus the focus was in the form, or nowhere */
  onClose: (hadFocus: boolean) => void
  onPosted: (post: PostView, location: PostLocation) => void
}

/** Creates a thread, comment or reply beside the page, which stays usable. A thread has one form and one draft. */
export function PostDialog({ request, on, open, onClose, onPosted }: PostDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const post = usePost(
    request.location,
    (made, location) => {
      leave()
      if (made) onPosted(made, location)
    },
    on.board,
  )
  const { location, texts, draft, form, progress } = post
  const isBusy = progress !== null
  useCloseOnBack(open, close, isBusy, true)
  const wasOpen = useRef(false)
  /** the text that the form inserted, while the visitor has typed nothing */
  const inserted = useRef('')

  const field = (name: 'title' | 'content' | 'links') => form.current?.elements.namedItem(name)
  const begin = useEffectEvent(() => {
    const { location: to, quote, lines = '' } = request
    const isOpening = !wasOpen.current
    wasOpen.current = true
    const commentId = to.kind === 'reply' ? to.commentId : undefined
    // Later presses quote into the same post. Only the button of the thread changes what the post answers.
    if (isOpening || (to.kind === 'comment' && quote === undefined)) post.setLocation(to)
    const linked = quote ?? (isOpening ? undefined : commentId)
    const shown = quote ?? commentId
    const first = (isOpening && field('title')) || field('content')
    // A text that is being sent is forgotten when it has arrived, with everything that was added meanwhile.
    // Not within an effect: React would undo the change, and move the caret to the end when it renders the text.
    if (linked !== undefined && !isBusy) queueMicrotask(() => insert(`>>${linked}\n${lines}`, isOpening))
    else if (first instanceof HTMLElement) first.focus({ preventScroll: true })
    if (shown !== undefined) showPost(shown)
  })
  useEffect(() => {
    if (open && request) begin()
    else wasOpen.current = false
  }, [open, request])

  /** Inserts lines at the caret, or at the end of a text that was kept, unless they are in it. */
  function insert(lines: string, isOpening: boolean) {
    const input = field('content') as HTMLTextAreaElement
    const { value } = input
    const at = isOpening ? value.length : input.selectionEnd
    const isKept = isOpening && `\n${value}\n`.includes(`\n${lines.trim()}\n`)
    const start = at === 0 || value[at - 1] === '\n' ? '' : '\n'
    const added = isKept ? '' : start + lines
    input.focus({ preventScroll: true })
    // The focus can close the form.
    if (!wasOpen.current) return
    input.setSelectionRange(at, at)
    // As if it was typed: the visitor can undo it, and what was typed before.
    if (added) document.execCommand('insertText', false, added)
    if (['', inserted.current.trim()].includes(value.trim())) inserted.current = input.value
  }

  function leave() {
    wasOpen.current = false
    const focused = document.activeElement
    // The button that sends the form loses the focus while it is busy.
    onClose(focused === document.body || (dialog.current?.contains(focused) ?? false))
  }

  /** Keeps what the visitor has typed. */
  function close() {
    // From the elements: the state may not have what was inserted just now.
    const read = (name: 'title' | 'content' | 'links') => (field(name) as HTMLTextAreaElement | null)?.value ?? ''
    post.stop()
    if (read('title') + read('links') === '' && read('content').trim() === inserted.current.trim()) draft.clear()
    leave()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || isBusy) return
    event.preventDefault()
    close()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    post.send()
  }

  function answerThread() {
    if (location.kind !== 'thread') post.setLocation(threadOf(location))
    focusInView(field('content'))
  }

  if (!open) return null
  return (
    <dialog
      ref={dialog}
      open
      className={cx(dialogStyles.dialog, styles.docked)}
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onClickCapture={blockDoubleTap}
    >
      <header className={cx('spread', dialogStyles.head)}>
        <div>
          <h2 className="h3" id={titleId}>
            {texts.title}
          </h2>
          <p className={cx('cluster', dialogStyles.lead, styles.target)}>
            <span className="data">
              <Target location={{ ...location, boardId: on.board.id }} />
            </span>
            {location.kind === 'reply' && (
              <Button variant="text" size="small" onClick={answerThread}>
                {t('board.answerThread')}
              </Button>
            )}
          </p>
        </div>
        <IconButton icon={X} label={t('ui.close')} className={dialogStyles.close} onClick={close} />
      </header>
      <PostRefusal post={post} />
      <form ref={form} onSubmit={submit} noValidate>
        <div className={cx(dialogStyles.body, styles.fields)}>
          <PostFields post={post} on={on} />
        </div>
        <footer className={dialogStyles.foot}>
          <CaptchaField post={post} />
          <Button variant="primary" type="submit" busy={isBusy}>
            {texts.submit}
          </Button>
        </footer>
      </form>
    </dialog>
  )
}

/** Names what the post answers. */
function Target({ location }: { location: PostLocation }) {
  if (location.kind === 'thread') return `/${location.boardId}/`
  if (location.kind === 'comment') return t('board.threadPlace', { board: location.boardId, id: location.threadId })
  return <NumberBy id={location.commentId} author={location.author} />
}

/** Scrolls the head and the text of a post into the part of the page that the form leaves visible. */
function showPost(id: number) {
  const post = findPost(id)
  for (const part of post ? [bodyOf(post)?.querySelector('.text'), headOf(post)] : [])
    part?.scrollIntoView({ block: 'nearest' })
}
