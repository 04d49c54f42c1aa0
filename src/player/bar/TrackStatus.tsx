import type { MouseEvent } from 'react'
import { t } from '#src/i18n/t.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { playLive } from '#src/player/engine.ts'
import { type PlayerState, usePlayer } from '#src/player/store.ts'
import { cx } from '#src/ui/cx.ts'
import styles from './TrackStatus.module.css'
import { usePosition } from './usePosition.ts'

export function statusText({ status, offline }: Pick<PlayerState, 'status' | 'offline'>): string {
  if (status === 'paused' || status === 'playing') return ''
  if (offline) return t('player.offline')
  return status === 'starting' ? t('player.connecting') : t('player.reconnecting')
}

export function StatusText({ className }: { className?: string }) {
  return (
    <span className={className} role="status" aria-live="polite">
      {statusText(usePlayer())}
    </span>
  )
}

export function LiveBadge({ host, className }: { host: string | null; className?: string }) {
  if (host === null) return null
  return (
    <span className={cx(styles.live, className)}>
      <b>{t('player.live')}</b>
      {host && <bdi>{host}</bdi>}
    </span>
  )
}

function backToLive(event: MouseEvent<HTMLButtonElement>) {
  const bar = event.currentTarget.closest('section')
  playLive()
  // Moves the focus, because this button disappears.
  bar?.querySelector<HTMLElement>('[data-play]')?.focus({ preventScroll: true })
}

export function BackToLiveButton({ className }: { className?: string }) {
  return (
    <button type="button" className={cx(styles.toLive, className)} onClick={backToLive}>
      {t('player.backToLive')}
    </button>
  )
}

export function PlaybackTime({ className, apart }: { className?: string; apart?: boolean }) {
  const { recording, nowPlaying, nowPlayingAt } = usePlayer()
  const { elapsed, duration } = usePosition()
  const isLive = recording === null
  // Keeps its place free, so that nothing moves when the track is known.
  const isLoading = isLive && nowPlayingAt === 0
  if (isLive && !nowPlaying?.online && !isLoading) return null
  return (
    <span className={cx(styles.times, apart && styles.apart, isLoading && styles.loading, className)}>
      <span>{formatClockTime(elapsed)}</span>
      {(duration > 0 || isLoading) && <span className={styles.duration}>{formatClockTime(duration)}</span>}
    </span>
  )
}
