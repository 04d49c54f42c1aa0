import type { ReactNode } from 'react'
import { type OwnStreamer, streamerMessages } from '#src/contract/streamer.ts'
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
    <QueryResult query={query} failed={streamerMessages.load}>
      {(own) => {
        if (!own) return <EmptyState>You may not stream yet. {contact}</EmptyState>
        if (own.isDisabled) return <Alert>Your streaming account is disabled. {contact}</Alert>
        return children(own)
      }}
    </QueryResult>
  )
}
