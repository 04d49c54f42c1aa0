import { t } from '#src/i18n/t.ts'
import { usePlayer } from '#src/player/store.ts'
import type { PlayerState } from '#src/player/types.ts'

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
