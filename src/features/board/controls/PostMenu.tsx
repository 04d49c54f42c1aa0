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
import { placeBeside } from '#src/lib/placeBeside.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import menuStyles from '#src/ui/Menu.module.css'
import { toast } from '#src/ui/Toast.tsx'
import { type ControlledPost, type ControlsOfPostProps, request, selection } from './controlStores.ts'
import styles from './PostControls.module.css'

const GAP_PX = 4

type PostMenuProps = { button: HTMLElement; props: ControlsOfPostProps; isAdmin: boolean }

/** The menu of a post for moderators. Opens below its button, or above if there is no space. */
export function PostMenu({ button, props, isAdmin }: PostMenuProps) {
  const menu = useRef<HTMLElement>(null)
  const { post } = props

  useEffect(() => {
    const element = menu.current
    if (!element) return
    element.showPopover()
    placeBeside(element, button.getBoundingClientRect(), GAP_PX)
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
      className={`pop ${styles.menu}`}
      popover="auto"
      aria-label={t('board.postActions', { kind: post.kind, id: post.id })}
      onToggle={({ newState }) => newState === 'closed' && forget()}
      onKeyDown={moveFocus}
    >
      {itemsOf(post, isAdmin).map(
        ([isOffered, Icon, label, run]) =>
          isOffered && (
            <button key={label} type="button" className={menuStyles.item} onClick={() => choose(run)}>
              <Icon className="icon accent" />
              {label}
            </button>
          ),
      )}
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

type Item = [isOffered: boolean | undefined, icon: LucideIcon, label: string, run: () => void]

function itemsOf(post: ControlledPost, isAdmin: boolean): Item[] {
  const { picture, pictures = [], spoiler, locked, pinned, bumplocked, cyclical, archived, note } = post.state
  const isThread = post.kind === 'thread'
  const canBeSet = isThread && !archived
  const hasMany = pictures.length > 1
  const hasOne = picture !== null && !hasMany
  const act = (action: PostAction, done: string, image?: string) => () => void send(post, action, done, image)
  return [
    ...pictures.map(({ url }, index): Item => {
      const label = t('board.deleteImageNumber', { index: index + 1 })
      return [hasMany, ImageOff, label, act('delete-image', t('board.imageDeleted'), url)]
    }),
    [hasMany, ImageOff, t('board.deleteImages'), act('delete-image', t('board.imagesDeleted'))],
    [hasMany && !spoiler, EyeOff, t('board.coverImage'), act('spoiler', t('board.imagesCovered'))],
    [hasMany && spoiler, Eye, t('board.uncoverImages'), act('unspoiler', t('board.imagesUncovered'))],
    [hasOne, ImageOff, t('board.deleteImage'), act('delete-image', t('board.imageDeleted'))],
    [hasOne && !spoiler, EyeOff, t('board.coverImage'), act('spoiler', t('board.imageCovered'))],
    [hasOne && spoiler, Eye, t('board.uncoverImage'), act('unspoiler', t('board.imageUncovered'))],
    [!!note, MessageSquareOff, t('board.removeNote'), act('remove-note', t('board.noteRemoved'))],
    [canBeSet && !locked, Lock, t('board.lockThread'), act('lock', t('board.threadClosed'))],
    [canBeSet && locked, LockOpen, t('board.unlockThread'), act('unlock', t('board.threadUnlocked'))],
    [canBeSet && !pinned, Pin, t('board.pinThread'), act('pin', t('board.threadPinned'))],
    [canBeSet && pinned, PinOff, t('board.unpinThread'), act('unpin', t('board.threadUnpinned'))],
    [canBeSet && !bumplocked, ArrowUpFromLine, t('board.bumplockThread'), act('bumplock', t('board.threadBumplocked'))],
    [
      canBeSet && bumplocked,
      ArrowUpFromLine,
      t('board.unbumplockThread'),
      act('unbumplock', t('board.threadUnbumplocked')),
    ],
    [canBeSet && !cyclical, RefreshCw, t('board.cycleThread'), act('cycle', t('board.threadCycled'))],
    [canBeSet && cyclical, RefreshCwOff, t('board.uncycleThread'), act('uncycle', t('board.threadUncycled'))],
    [
      isThread && archived && isAdmin,
      ArchiveRestore,
      t('board.unarchiveThread'),
      act('unarchive', t('board.threadUnarchived')),
    ],
    [isThread, MoveRight, t('board.moveThread'), () => request.set({ kind: 'move', post })],
    [true, UserX, t('board.everythingByPoster'), () => request.set({ kind: 'posters', posts: [post] })],
    [true, ListChecks, t('board.selectPosts'), () => selection.set([post])],
  ]
}

async function send({ boardId, id }: ControlledPost, action: PostAction, done: string, image?: string): Promise<void> {
  try {
    await (await trpc()).moderation.act.mutate({ boardId, postId: id, action, ...(image !== undefined && { image }) })
    toast(done)
  } catch (error) {
    toast(errorText(error, t('ui.changePostFailed')))
  }
}
