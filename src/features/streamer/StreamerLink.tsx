import { GO_LIVE_PATH } from '#src/contract/show.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { useOwnStreamer } from './useOwnStreamer.ts'

/** Links the page of streamers, for streamers. */
export function StreamerLink({ email }: { email: string }) {
  const { data: own } = useOwnStreamer(email)
  return own ? <ButtonLink href={GO_LIVE_PATH}>{t('streamer.goLive')}</ButtonLink> : null
}
