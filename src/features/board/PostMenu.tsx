import {
  Eye,
  EyeOff,
  ImageOff,
  ListChecks,
  Lock,
  LockOpen,
  type LucideIcon,
  Pin,
  PinOff,
  Trash2,
  UserX,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { moderationMessages, type PostAction } from '#src/contract/moderation.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'
import { type PostControlsProps, request, selection } from './controlStores.ts'
import styles from './PostControls.module.css'

const GAP_PX = 4

/** The menu of a post for moderators. Opens below its button, or above if there is no space. */
export function PostMenu({ button, props }: { button: HTMLElement; props: PostControlsProps }) {
  const menu = useRef<HTMLElement>(null)
  const { post } = props

  useEffect(() => {
    const element = menu.current
    if (!element) return
    element.showPopover()
    const { top, bottom, right } = button.getBoundingClientRect()
    const isBelow = bottom + element.offsetHeight + GAP_PX < innerHeight || top < element.offsetHeight
    const y = isBelow ? bottom + GAP_PX : top - element.offsetHeight - GAP_PX
    element.style.setProperty('--menu-top', `${y + scrollY}px`)
    element.style.setProperty('--menu-right', `${document.documentElement.clientWidth - right}px`)
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
      aria-label={`Actions for ${post.kind} No. ${post.id}`}
      onToggle={({ newState }) => newState === 'closed' && forget()}
      onKeyDown={moveFocus}
    >
      {itemsOf(props).map(({ icon: Icon, label, run }) => (
        <button key={label} type="button" onClick={() => choose(run)}>
          <Icon className="icon" />
          {label}
        </button>
      ))}
      <button type="button" onClick={() => choose(() => request.set({ kind: 'posters', posts: [post] }))}>
        <UserX className="icon" />
        Everything by this poster…
      </button>
      <button type="button" onClick={() => choose(() => selection.set([post]))}>
        <ListChecks className="icon" />
        Select posts…
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

function itemsOf(props: PostControlsProps): Item[] {
  const { post } = props
  const { picture, pictures, spoiler, locked, pinned, archived } = post.state
  const item = (icon: LucideIcon, label: string, action: PostAction, done: string, image?: string): Item => ({
    icon,
    label,
    run: () => void act(post, action, done, image),
  })
  const [noun, are] = pictures ? ['Pictures', 'all pictures'] : ['Picture', 'picture']
  return [
    {
      icon: Trash2,
      label: `Delete ${post.kind}…`,
      run: () => request.set({ kind: 'delete', props, token: undefined }),
    },
    ...(picture
      ? [
          ...(pictures ?? []).map(({ url }, index) =>
            item(ImageOff, `Delete picture ${index + 1}`, 'delete-image', 'Picture deleted', url),
          ),
          item(ImageOff, `Delete ${are}`, 'delete-image', `${noun} deleted`),
          spoiler
            ? item(Eye, `Uncover ${are}`, 'unspoiler', `${noun} uncovered`)
            : item(EyeOff, 'Cover as spoiler', 'spoiler', `${noun} covered`),
        ]
      : []),
    ...(post.kind === 'thread' && !archived
      ? [
          locked
            ? item(LockOpen, 'Unlock thread', 'unlock', 'Thread unlocked')
            : item(Lock, 'Lock thread', 'lock', 'Thread locked'),
          pinned
            ? item(PinOff, 'Unpin thread', 'unpin', 'Thread unpinned')
            : item(Pin, 'Pin thread', 'pin', 'Thread pinned'),
        ]
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
    toast(errorText(error, moderationMessages.act))
  }
}
