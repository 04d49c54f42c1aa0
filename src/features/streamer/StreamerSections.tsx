import type { ReactNode } from 'react'
import { GO_LIVE_PATH } from '#src/contract/show.ts'
import type { OwnStreamer } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'

/** Reads the streaming account of the logged-in user; null if the user may not stream. */
const useOwnStreamer = (email: string) => usePrivateQuery(['streamer', email], (client) => client.streamer.own.query())

type StreamerSectionsProps = {
  email: string
  /** how to get an account */
  contact: ReactNode
  children: (own: OwnStreamer) => ReactNode
}

/** Shows the parts of streamers, or how to become one. */
export function StreamerSections({ email, contact, children }: StreamerSectionsProps) {
  const query = useOwnStreamer(email)
  return (
    <QueryResult query={query} failed={t('streamer.accountFailed')}>
      {(own) => {
        if (!own) {
          return (
            <EmptyState>
              {t('streamer.notAllowed')} {contact}
            </EmptyState>
          )
        }
        if (own.isDisabled) {
          return (
            <Alert>
              {t('streamer.disabled')} {contact}
            </Alert>
          )
        }
        return children(own)
      }}
    </QueryResult>
  )
}

/** Links the page of streamers, for streamers. */
export function StreamerLink({ email }: { email: string }) {
  const { data: own } = useOwnStreamer(email)
  return own ? <ButtonLink href={GO_LIVE_PATH}>{t('streamer.goLive')}</ButtonLink> : null
}
