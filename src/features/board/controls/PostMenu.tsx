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
      const label = t('action.deleteImageNumber', { index: index + 1 })
      return [hasMany, ImageOff, label, act('delete-image', t('action.deleteImageDone'), url)]
    }),
    [hasMany, ImageOff, t('action.deleteImages'), act('delete-image', t('action.deleteImagesDone'))],
    [hasMany && !spoiler, EyeOff, t('action.spoiler'), act('spoiler', t('action.spoilerManyDone'))],
    [hasMany && spoiler, Eye, t('action.unspoilerMany'), act('unspoiler', t('action.unspoilerManyDone'))],
    [hasOne, ImageOff, t('action.deleteImage'), act('delete-image', t('action.deleteImageDone'))],
    [hasOne && !spoiler, EyeOff, t('action.spoiler'), act('spoiler', t('action.spoilerDone'))],
    [hasOne && spoiler, Eye, t('action.unspoiler'), act('unspoiler', t('action.unspoilerDone'))],
    [!!note, MessageSquareOff, t('action.removeNote'), act('remove-note', t('action.removeNoteDone'))],
    [canBeSet && !locked, Lock, t('action.lock'), act('lock', t('action.lockDone'))],
    [canBeSet && locked, LockOpen, t('action.unlock'), act('unlock', t('action.unlockDone'))],
    [canBeSet && !pinned, Pin, t('action.pin'), act('pin', t('action.pinDone'))],
    [canBeSet && pinned, PinOff, t('action.unpin'), act('unpin', t('action.unpinDone'))],
    [canBeSet && !bumplocked, ArrowUpFromLine, t('action.bumplock'), act('bumplock', t('action.bumplockDone'))],
    [canBeSet && bumplocked, ArrowUpFromLine, t('action.unbumplock'), act('unbumplock', t('action.unbumplockDone'))],
    [canBeSet && !cyclical, RefreshCw, t('action.cycle'), act('cycle', t('action.cycleDone'))],
    [canBeSet && cyclical, RefreshCwOff, t('action.uncycle'), act('uncycle', t('action.uncycleDone'))],
    [
      isThread && archived && isAdmin,
      ArchiveRestore,
      t('action.unarchive'),
      act('unarchive', t('action.unarchiveDone')),
    ],
    [isThread, MoveRight, t('action.move'), () => request.set({ kind: 'move', post })],
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
