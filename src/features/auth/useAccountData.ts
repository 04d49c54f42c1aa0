import { queryClient, useQuery } from '#src/lib/reactQuery.ts'
import { trpc } from '#src/lib/trpc.ts'

const SECOND_FACTOR = ['second-factor']
const SESSIONS = ['sessions']

// A remount reads again: another tab or device may have changed the account.
export const useSecondFactor = () =>
  useQuery({ queryKey: SECOND_FACTOR, queryFn: async () => (await trpc()).auth.secondFactor.query(), gcTime: 0 })

export const useSessions = () =>
  useQuery({ queryKey: SESSIONS, queryFn: async () => (await trpc()).auth.sessions.query(), gcTime: 0 })

export const reloadSecondFactor = () => queryClient.invalidateQueries({ queryKey: SECOND_FACTOR })
export const reloadSessions = () => queryClient.invalidateQueries({ queryKey: SESSIONS })
