import { Ellipsis, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { AuthUser } from '#src/contract/auth.ts'
import type { ThreadHead } from '#src/contract/thread.ts'
import {
  commentOf,
  headOf,
  idOf,
  kindOf,
  listControlled,
  listImages,
  noteOf,
} from '#src/features/board/post/postElements.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { DeleteDialog } from '#src/ui/DeleteDialog.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { PosterDialog } from '#src/ui/PosterDialog.tsx'
import { type ControlledPost, type ControlsOfPostProps, request, selection, toggleSelected } from './controlStores.ts'
import { deletionOf } from './deletions.ts'
import { MoveDialog } from './MoveDialog.tsx'
import styles from './PostControls.module.css'
import { PostMenu } from './PostMenu.tsx'

/** Shows a menu and a delete button to moderators, and the button to the post's author. */
function ControlsOfPost(props: ControlsOfPostProps) {
  const { post, moderates } = props
  const { kind, id } = post
  const selected = selection.useValue()
  const own = ownPosts.useValue().find((one) => one.id === id)

  const deletion = (token: string | undefined) => (
    <IconButton
      icon={Trash2}
      label={t('board.deletePost', { kind, id })}
      danger
      onClick={() => request.set({ kind: 'delete', props, token })}
    />
  )

  if (moderates && selected) {
    return (
      <Checkbox
        className={styles.select}
        aria-label={t('board.selectPost', { kind, id })}
        checked={selected.some((one) => one.id === id)}
        onChange={() => toggleSelected(post)}
      />
    )
  }
  if (moderates) {
    return (
      <>
        {deletion(undefined)}
        <IconButton
          icon={Ellipsis}
          label={t('board.postActions', { kind, id })}
          onClick={({ currentTarget }) => request.set({ kind: 'menu', button: currentTarget, props })}
        />
      </>
    )
  }
  return own ? deletion(own.token) : null
}

type ControlsInPostsProps = Omit<ControlsOfPostProps, 'post'> & {
  /** undefined in lists of threads */
  thread?: ThreadHead
  /** changes with the posts on the page */
  version: number
}

/** Adds the controls to the posts of a thread, or to the threads of a list. */
function ControlsInPosts({ thread, version, ...rest }: ControlsInPostsProps) {
  const [places, setPlaces] = useState<{ place: Element; post: ControlledPost }[]>([])
  const own = ownPosts.useValue()
  const { moderates } = rest
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => {
    const posts = listControlled().filter((post) => moderates || own.some(({ id }) => id === idOf(post)))
    setPlaces(
      posts.flatMap((post) => {
        const place = post.querySelector('[data-controls]') ?? headOf(post)?.querySelector('.actions')
        return place ? { place, post: thread ? controlledPost(post, thread) : controlledThread(post) } : []
      }),
    )
  }, [version, thread, moderates, own])
  return places.map(({ place, post }) => createPortal(<ControlsOfPost post={post} {...rest} />, place, String(post.id)))
}

/** Reads what `articleHtml` in `cardHtml.ts` wrote. */
function controlledThread(card: HTMLElement): ControlledPost {
  const id = idOf(card)
  const flags = Object.fromEntries((card.dataset.flags ?? '').split(' ').map((flag) => [flag, true]))
  const state = { spoiler: false, ...flags, picture: card.querySelector('.picture') }
  return { kind: 'thread', boardId: card.dataset.board ?? '', threadId: id, commentId: undefined, id, state }
}

function controlledPost(post: HTMLElement, thread: ThreadHead): ControlledPost {
  const kind = kindOf(post)
  const comment = kind === 'reply' ? commentOf(post) : null
  const pictures = listImages([post])
  const [picture = null] = pictures
  const { boardId, id: threadId } = thread
  const commentId = comment ? idOf(comment) : undefined
  const flags = kind === 'thread' ? thread : {}
  const state = { ...flags, picture, pictures, spoiler: picture?.spoiler ?? false, note: noteOf(post) }
  return { kind, boardId, threadId, commentId, id: idOf(post), state }
}

/** Offers what a moderator can do with the posters of the selected posts. */
function SelectionBar() {
  const posts = selection.useValue()
  if (!posts) return null
  return (
    <section className={`pop cluster ${styles.bar}`} aria-label={t('board.selectedPosts')}>
      <p role="status">{t('board.selectedCount', { count: posts.length })}</p>
      <Button
        size="small"
        variant="danger"
        disabled={posts.length === 0}
        onClick={() => request.set({ kind: 'posters', posts })}
      >
        {t('board.everythingByThem')}
      </Button>
      <IconButton icon={X} label={t('ui.cancel')} onClick={() => selection.set(null)} />
    </section>
  )
}

const close = () => request.set(null)

export type PostControlsProps = ControlsInPostsProps & {
  user: AuthUser | null
  /** The thread or the board is gone: only what is open stays. */
  isDeleted: boolean
}

/** Renders the controls in the posts of a page, and the menu, the dialogs and the selection of all. */
export function PostControls({ user, isDeleted, ...posts }: PostControlsProps) {
  const isAdmin = user?.role === 'admin'
  const requested = request.useValue()
  useEffect(
    () => () => {
      request.set(null)
      selection.set(null)
    },
    [],
  )

  return (
    <>
      {!isDeleted && <ControlsInPosts {...posts} />}
      {requested?.kind === 'menu' && <PostMenu key={requested.props.post.id} isAdmin={isAdmin} {...requested} />}
      <SelectionBar />
      {requested?.kind === 'delete' && (
        <DeleteDialog
          deletion={deletionOf(requested.props.post, requested.token)}
          onClose={close}
          onDeleted={() => requested.props.onDeleted(requested.props.post)}
        />
      )}
      {requested?.kind === 'move' && <MoveDialog post={requested.post} user={user} onClose={close} />}
      {requested?.kind === 'posters' && (
        <PosterDialog posts={requested.posts} isAdmin={isAdmin} onClose={close} onDone={() => selection.set(null)} />
      )}
    </>
  )
}
