import type { ReactNode } from 'react'
import type { OwnStreamer } from '#src/contract/streamer.ts'
import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { useOwnStreamer } from './useOwnStreamer.ts'

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
