import {
  ArchiveRestore,
  ArrowUpFromLine,
  Eye,
  EyeOff,
  ImageOff,
  ListChecks,
  Lock,
  LockOpen,
  type LucideIcon,
  MessageSquareOff,
  MoveRight,
  Pin,
  PinOff,
  RefreshCw,
  RefreshCwOff,
  UserX,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { PostAction } from '#src/contract/moderation.ts'
import { t } from '#src/i18n/t.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'
import { type PostControlsProps, request, selection } from './controlStores.ts'
import styles from './PostControls.module.css'

const GAP_PX = 4

type PostMenuProps = { button: HTMLElement; props: PostControlsProps; isAdmin: boolean }

/** The menu of a post for moderators. Opens below its button, or above if there is no space. */
export function PostMenu({ button, props, isAdmin }: PostMenuProps) {
  const menu = useRef<HTMLElement>(null)
  const { post } = props

  useEffect(() => {
    const element = menu.current
    if (!element) return
    element.showPopover()
    const { top, bottom, left, right } = button.getBoundingClientRect()
    const isBelow = bottom + element.offsetHeight + GAP_PX < innerHeight || top < element.offsetHeight
    const y = isBelow ? bottom + GAP_PX : top - element.offsetHeight - GAP_PX
    element.style.setProperty('--menu-top', `${y + scrollY}px`)
    const isRightToLeft = getComputedStyle(element).direction === 'rtl'
    const end = isRightToLeft ? left : document.documentElement.clientWidth - right
    element.style.setProperty('--menu-end', `${end}px`)
    element.querySelector('button')?.focus({ preventScroll: true })
  }, [button])

  /** Another menu or a dialog may have opened since this menu closed. */
  function forget() {
    const current = request.get()
    if (current?.kind === 'menu' && current.button === button) request.set(null)
  }

  function choose(run: () => void) {
    menu.current?.hidePopover()
    run()
  }

  return (
    <section
      ref={menu}
      className={styles.menu}
      popover="auto"
      aria-label={t('board.postActions', { kind: post.kind, id: post.id })}
      onToggle={({ newState }) => newState === 'closed' && forget()}
      onKeyDown={moveFocus}
    >
      {itemsOf(post, isAdmin).map(({ icon: Icon, label, run }) => (
        <button key={label} type="button" onClick={() => choose(run)}>
          <Icon className="icon" />
          {label}
        </button>
      ))}
      {post.kind === 'thread' && (
        <button type="button" onClick={() => choose(() => request.set({ kind: 'move', post }))}>
          <MoveRight className="icon" />
          {t('board.moveThread')}
        </button>
      )}
      <button type="button" onClick={() => choose(() => request.set({ kind: 'posters', posts: [post] }))}>
        <UserX className="icon" />
        {t('board.everythingByPoster')}
      </button>
      <button type="button" onClick={() => choose(() => selection.set([post]))}>
        <ListChecks className="icon" />
        {t('board.selectPosts')}
      </button>
    </section>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll('button')]
  const at = items.indexOf(document.activeElement as HTMLButtonElement)
  items.at((at + step) % items.length)?.focus()
}

type Item = { icon: LucideIcon; label: string; run: () => void }

function itemsOf(post: PostControlsProps['post'], isAdmin: boolean): Item[] {
  const { picture, pictures, spoiler, locked, pinned, bumplocked, cyclical, archived, note } = post.state
  const item = (icon: LucideIcon, label: string, action: PostAction, done: string, image?: string): Item => ({
    icon,
    label,
    run: () => void act(post, action, done, image),
  })
  return [
    ...(picture
      ? [
          ...(pictures ?? []).map(({ url }, index) =>
            item(
              ImageOff,
              t('board.deleteImageNumber', { index: index + 1 }),
              'delete-image',
              t('board.imageDeleted'),
              url,
            ),
          ),
          ...(pictures
            ? [
                item(ImageOff, t('board.deleteImages'), 'delete-image', t('board.imagesDeleted')),
                spoiler
                  ? item(Eye, t('board.uncoverImages'), 'unspoiler', t('board.imagesUncovered'))
                  : item(EyeOff, t('board.coverImage'), 'spoiler', t('board.imagesCovered')),
              ]
            : [
                item(ImageOff, t('board.deleteImage'), 'delete-image', t('board.imageDeleted')),
                spoiler
                  ? item(Eye, t('board.uncoverImage'), 'unspoiler', t('board.imageUncovered'))
                  : item(EyeOff, t('board.coverImage'), 'spoiler', t('board.imageCovered')),
              ]),
        ]
      : []),
    ...(note ? [item(MessageSquareOff, t('board.removeNote'), 'remove-note', t('board.noteRemoved'))] : []),
    ...(post.kind === 'thread' && !archived
      ? [
          locked
            ? item(LockOpen, t('board.unlockThread'), 'unlock', t('board.threadUnlocked'))
            : item(Lock, t('board.lockThread'), 'lock', t('board.threadClosed')),
          pinned
            ? item(PinOff, t('board.unpinThread'), 'unpin', t('board.threadUnpinned'))
            : item(Pin, t('board.pinThread'), 'pin', t('board.threadPinned')),
          bumplocked
            ? item(ArrowUpFromLine, t('board.unbumplockThread'), 'unbumplock', t('board.threadUnbumplocked'))
            : item(ArrowUpFromLine, t('board.bumplockThread'), 'bumplock', t('board.threadBumplocked')),
          cyclical
            ? item(RefreshCwOff, t('board.uncycleThread'), 'uncycle', t('board.threadUncycled'))
            : item(RefreshCw, t('board.cycleThread'), 'cycle', t('board.threadCycled')),
        ]
      : []),
    ...(post.kind === 'thread' && archived && isAdmin
      ? [item(ArchiveRestore, t('board.unarchiveThread'), 'unarchive', t('board.threadUnarchived'))]
      : []),
  ]
}

async function act(
  { boardId, id }: PostControlsProps['post'],
  action: PostAction,
  done: string,
  image: string | undefined,
): Promise<void> {
  try {
    await (await trpc()).moderation.act.mutate({ boardId, postId: id, action, ...(image !== undefined && { image }) })
    toast(done)
  } catch (error) {
    toast(errorText(error, t('ui.changePostFailed')))
  }
}
