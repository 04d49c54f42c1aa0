import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { focusOn } from '#src/lib/focus.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { WatchAlerts } from './WatchAlerts.tsx'
import styles from './WatchMenu.module.css'
import { countUnread, type FollowedThread, type WatchState } from './watchState.ts'
import { stopWatching, watching } from './watchStore.ts'

type WatchPanelProps = {
  state: WatchState
  /** called when the visitor follows a link */
  onLeave: () => void
}

export function WatchPanel({ state, onLeave }: WatchPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const watched = state.threads.filter(({ isWatched }) => isWatched)

  /** The pressed button disappears. */
  function run(change: () => void) {
    change()
    focusOn(heading.current)
  }

  return (
    <>
      {state.replies.length > 0 && (
        <>
          <div className={`cluster ${styles.head}`}>
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
            {state.replies.map(({ id, threadId, isSeen }) => {
              const thread = state.threads.find((one) => one.id === threadId)
              return (
                <Row key={id} thread={thread} hash={`#p${id}`} place={`>>${id}`} isNew={!isSeen} onLeave={onLeave}>
                  {!isSeen && <span className={styles.count}>{t('board.new')}</span>}
                </Row>
              )
            })}
          </ul>
        </>
      )}
      <div className={`cluster ${styles.head}`}>
        <h2 className="label" ref={heading} tabIndex={-1}>
          {t('board.watchedThreads')}
        </h2>
      </div>
      {watched.length === 0 ? (
        <p className="hint">{t('board.watchHint')}</p>
      ) : (
        <ul className={styles.list}>
          {watched.map((thread) => {
            const { id, boardId, firstUnreadId, state: its } = thread
            const unread = its === 'gone' ? 0 : countUnread(thread)
            const hash = unread > 0 && firstUnreadId !== null ? `#p${firstUnreadId}` : ''
            return (
              <Row key={id} thread={thread} hash={hash} place={`/${boardId}/`} isNew={unread > 0} onLeave={onLeave}>
                {its !== 'live' && <span className="hint">{STATES[its]()}</span>}
                {unread > 0 && <span className={styles.count}>{t('board.newCount', { count: unread })}</span>}
                <IconButton
                  icon={X}
                  label={t('board.stopWatching', { title: titleOf(thread) })}
                  onClick={() => run(() => stopWatching(id))}
                />
              </Row>
            )
          })}
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

const STATES = {
  archived: () => t('board.stateArchived'),
  gone: () => t('board.stateGone'),
} satisfies Partial<Record<FollowedThread['state'], () => string>>

type RowProps = {
  /** undefined if the thread of a reply is not followed any more */
  thread: FollowedThread | undefined
  hash: string
  place: string
  isNew: boolean
  onLeave: () => void
  children: ReactNode
}

/** Links to a thread or a reply in it, while it exists. */
function Row({ thread, hash, place, isNew, onLeave, children }: RowProps) {
  const text = (
    <>
      <span className="data">{place}</span> <bdi>{thread && titleOf(thread)}</bdi>
    </>
  )
  return (
    <li className={styles.row} data-new={isNew || undefined}>
      {thread && thread.state !== 'gone' ? (
        <a className={styles.link} href={`${threadPath(thread.boardId, thread.id)}${hash}`} onClick={onLeave}>
          {text}
        </a>
      ) : (
        <s className={styles.gone}>{text}</s>
      )}
      {children}
    </li>
  )
}
