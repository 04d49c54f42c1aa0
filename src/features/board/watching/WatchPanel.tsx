import { X } from 'lucide-react'
import { useRef } from 'react'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { WatchAlerts } from './WatchAlerts.tsx'
import styles from './WatchMenu.module.css'
import { countUnread, type FollowedThread, type Reply, type WatchState } from './watchState.ts'
import { stopWatching, watching } from './watchStore.ts'

type WatchPanelProps = {
  state: WatchState
  /** called when the visitor follows a link */
  onLeave: () => void
}

export function WatchPanel({ state, onLeave }: WatchPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const watched = state.threads.filter(({ isWatched }) => isWatched)
  const find = (reply: Reply) => state.threads.find(({ id }) => id === reply.threadId)

  /** The pressed button disappears. */
  function run(change: () => void) {
    change()
    focusOn(heading.current)
  }

  return (
    <>
      {state.replies.length > 0 && (
        <>
          <div className={styles.head}>
            <h2 className="label">{t('board.repliesToYou')}</h2>
            <Button
              size="small"
              variant="text"
              onClick={() => run(() => watching.change((before) => ({ ...before, replies: [] })))}
            >
              {t('board.clear')}
            </Button>
          </div>
          <ul className={styles.list}>
            {state.replies.map((reply) => (
              <ReplyRow key={reply.id} reply={reply} thread={find(reply)} onLeave={onLeave} />
            ))}
          </ul>
        </>
      )}
      <div className={styles.head}>
        <h2 className="label" ref={heading} tabIndex={-1}>
          {t('board.watchedThreads')}
        </h2>
      </div>
      {watched.length === 0 ? (
        <p className="hint">{t('board.watchHint')}</p>
      ) : (
        <ul className={styles.list}>
          {watched.map((thread) => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              onLeave={onLeave}
              onRemove={() => run(() => stopWatching(thread.id))}
            />
          ))}
        </ul>
      )}
      <label className="choice">
        <Checkbox
          checked={state.watchesOwn}
          onChange={({ target }) => watching.change((before) => ({ ...before, watchesOwn: target.checked }))}
        />
        {t('board.watchOwn')}
      </label>
      <WatchAlerts isOn={state.hasAlerts} />
    </>
  )
}

const titleOf = ({ id, title }: FollowedThread) => title || t('ui.postNumber', { id })

function ReplyRow({
  reply,
  thread,
  onLeave,
}: {
  reply: Reply
  thread: FollowedThread | undefined
  onLeave: () => void
}) {
  const { id, isSeen } = reply
  const number = `>>${id}`
  const isGone = !thread || thread.state === 'gone'
  return (
    <li className={styles.row} data-new={!isSeen || undefined}>
      {isGone ? (
        <span className={styles.gone}>{number}</span>
      ) : (
        <a className={styles.link} href={`${threadPath(thread.boardId, thread.id)}#p${id}`} onClick={onLeave}>
          <span className="data">{number}</span> <bdi>{titleOf(thread)}</bdi>
        </a>
      )}
      {!isSeen && <span className={styles.count}>{t('board.new')}</span>}
    </li>
  )
}

const STATES = {
  archived: () => t('board.stateArchived'),
  gone: () => t('board.stateGone'),
} satisfies Partial<Record<FollowedThread['state'], () => string>>

type ThreadRowProps = { thread: FollowedThread; onLeave: () => void; onRemove: () => void }

function ThreadRow({ thread, onLeave, onRemove }: ThreadRowProps) {
  const { id, boardId, firstUnreadId, state } = thread
  const unread = state === 'gone' ? 0 : countUnread(thread)
  const hash = unread > 0 && firstUnreadId !== null ? `#p${firstUnreadId}` : ''
  return (
    <li className={styles.row} data-new={unread > 0 || undefined}>
      {state === 'gone' ? (
        <s className={styles.gone}>{titleOf(thread)}</s>
      ) : (
        <a className={styles.link} href={`${threadPath(boardId, id)}${hash}`} onClick={onLeave}>
          <span className="data">/{boardId}/</span> <bdi>{titleOf(thread)}</bdi>
        </a>
      )}
      {state !== 'live' && <span className={styles.state}>{STATES[state]()}</span>}
      {unread > 0 && <span className={styles.count}>{t('board.newCount', { count: unread })}</span>}
      <IconButton icon={X} label={t('board.stopWatching', { title: titleOf(thread) })} onClick={onRemove} />
    </li>
  )
}
