import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  type Broadcast,
  type BroadcastSummary,
  PODCAST_TYPE,
  type Streamer,
  streamerPodcastPath,
  summarise,
} from '#src/contract/archive.ts'
import { rich, t } from '#src/i18n/t.ts'
import { formatSize } from '#src/lib/formatBytes.ts'
import { utcDate } from '#src/lib/formatTime.ts'
import { hueOf } from '#src/lib/hueOf.ts'
import { cx } from '#src/ui/cx.ts'
import { FeedLink } from '#src/ui/FeedLink.tsx'
import { Nick } from '#src/ui/Nick.tsx'
import { BroadcastList } from './BroadcastList.tsx'
import { formatHours, type PlaybackProps } from './recording.ts'
import styles from './StreamerPanel.module.css'
import { useBroadcasts } from './useBroadcasts.ts'

type StreamerPanelProps = PlaybackProps & {
  stationId: number
  streamer: Streamer
  summary: BroadcastSummary | undefined
  opened: { broadcasts: Broadcast[] | null } | null
  /** whether the visitor is logged in, so that some recordings can be theirs */
  canEdit: boolean
}

export function StreamerPanel({ stationId, streamer, summary, opened, canEdit, ...playing }: StreamerPanelProps) {
  const { id, streamer_username: username, comments } = streamer
  const name = streamer.display_name || username
  const panel = useRef<HTMLDetailsElement>(null)
  const [isWanted, setIsWanted] = useState(opened !== null)
  const query = useBroadcasts({
    stationId,
    streamerId: id,
    enabled: isWanted,
    initialData: opened?.broadcasts ?? undefined,
  })

  const facts = query.data ? summarise(query.data) : summary

  useEffect(() => {
    // The visitor may have opened the panel before hydration.
    if (panel.current?.open) setIsWanted(true)
  }, [])

  function syncUrl() {
    const open = panel.current?.open ?? false
    if (open) setIsWanted(true)
    updateHash(id, open)
    keepInView()
  }

  /** A panel above closes when this one opens, which can move this one out of view. */
  function keepInView() {
    if (panel.current?.open) panel.current.querySelector('summary')?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <details
      ref={panel}
      className={cx('accordion', styles.panel)}
      name="streamers"
      id={panelId(id)}
      open={opened !== null}
      onToggle={syncUrl}
      onTransitionEnd={(event) => event.propertyName === 'height' && keepInView()}
    >
      <summary className={styles.head}>
        <span className={styles.mark} data-hue={hueOf(name)} aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <span className={styles.names}>
          <h2 className={styles.name}>
            <bdi>{name}</bdi>
          </h2>
          {name !== username && (
            <span className="hint">
              {rich('ui.withHost', { name: username, nick: () => <Nick name={username} /> })}
            </span>
          )}
          {comments && <span className={cx('hint ellipsis', styles.excerpt)}>{comments.split('\n', 1)}</span>}
        </span>
        {facts && facts.count > 0 && (
          <>
            <span className={styles.facts}>
              <span className={cx('data', styles.count)}>{t('archive.broadcasts', { count: facts.count })}</span>{' '}
              {facts.latest && (
                <span className={cx('data', styles.latest)}>
                  <Latest at={facts.latest} />
                </span>
              )}
            </span>{' '}
            <span className={cx('data', styles.length)}>{formatHours(facts.seconds)}</span>{' '}
            <span className={cx('data', styles.size)}>{formatSize(facts.bytes)}</span>
          </>
        )}
        <ChevronDown className={cx('icon chevron', styles.chevron)} />
      </summary>
      <div className={styles.body}>
        {comments && <p className={cx('quiet', styles.comments)}>{comments}</p>}
        <noscript>
          {!opened?.broadcasts && (
            <p className={cx('quiet', styles.comments)}>
              {opened ? (
                t('archive.broadcastsFailed')
              ) : (
                <a href={`?streamer=${id}`}>{t('archive.showBroadcasts', { name })}</a>
              )}
            </p>
          )}
        </noscript>
        {isWanted && (
          <BroadcastList stationId={stationId} streamer={streamer} query={query} canEdit={canEdit} {...playing} />
        )}
        <FeedLink
          className={styles.podcast}
          href={streamerPodcastPath(id)}
          label={t('archive.podcastOf', { name })}
          type={PODCAST_TYPE}
        />
      </div>
    </details>
  )
}

const Latest = ({ at }: { at: string }) =>
  rich('archive.latest', { date: utcDate(new Date(at)), time: (text) => <time dateTime={at}>{text}</time> })

const panelId = (streamerId: number) => `streamer-${streamerId}`

/** Opens the panel in the URL hash (`#streamer-3`), on page load and whenever the hash changes. */
export function useDeepLink() {
  useEffect(() => {
    function openLinkedPanel() {
      const panel = document.getElementById(location.hash.slice(1))
      if (!(panel instanceof HTMLDetailsElement) || panel.open) return
      panel.open = true
      panel.scrollIntoView({ block: 'start' })
    }
    openLinkedPanel()
    window.addEventListener('hashchange', openLinkedPanel)
    return () => window.removeEventListener('hashchange', openLinkedPanel)
  }, [])
}

/** Writes the open panel into the URL hash, so that shared links and reloads open it again. */
function updateHash(streamerId: number, open: boolean) {
  const hash = `#${panelId(streamerId)}`
  if (open ? location.hash === hash : location.hash !== hash) return
  history.replaceState(history.state, '', open ? `${location.pathname}${hash}` : location.pathname)
}
