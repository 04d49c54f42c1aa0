import { useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { queryClient, useMutation, useQuery } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { verifySession } from './session.ts'

const SECOND_FACTOR = ['second-factor']

// A remount reads again: another tab or device may have changed the account.
export const useSecondFactor = (email: string) =>
  useQuery({
    queryKey: [...SECOND_FACTOR, email],
    queryFn: async () => (await trpc()).auth.secondFactor.query(),
    gcTime: 0,
  })

export type FactorChange =
  | { kind: 'add-totp' | 'remove-totp' | 'add-passkey' | 'new-codes' }
  | { kind: 'remove-passkey'; id: string }

type Step =
  | { name: 'password' }
  | { name: 'scan'; uri: string; secret: string; setup: string }
  | { name: 'codes'; codes: string[] }
  | { name: 'done' }

type Input = { currentPassword: string; passkeyName: string; code: string }

/** Runs a change of the second factor step by step: password, then the app's code or the device, then new codes. */
export function useFactorChange(change: FactorChange) {
  const [step, setStep] = useState<Step>({ name: 'password' })
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Input) => nextStep(change, step, input),
    onSuccess: async (next) => {
      setStep(next)
      if (next.name === 'scan') return
      await Promise.all([queryClient.invalidateQueries({ queryKey: SECOND_FACTOR }), verifySession()])
    },
  })
  return { step, submit: mutate, busy: isPending, refusal: error && errorText(error, t('auth.factorFailed')) }
}

async function nextStep(change: FactorChange, step: Step, input: Input): Promise<Step> {
  const { auth } = await trpc()
  if (step.name === 'scan') return showCodes(await auth.confirmTotp.mutate({ setup: step.setup, code: input.code }))
  const { currentPassword } = input
  switch (change.kind) {
    case 'add-totp':
      return { name: 'scan', ...(await auth.startTotp.mutate({ currentPassword })) }
    case 'add-passkey': {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const { options, setup } = await auth.startPasskey.mutate({ currentPassword })
      const response = await startRegistration({ optionsJSON: options })
      return showCodes(await auth.confirmPasskey.mutate({ setup, name: input.passkeyName, response: { ...response } }))
    }
    case 'new-codes':
      return showCodes(await auth.replaceRecoveryCodes.mutate({ currentPassword }))
    case 'remove-totp':
      await auth.removeTotp.mutate({ currentPassword })
      return { name: 'done' }
    case 'remove-passkey':
      await auth.removePasskey.mutate({ currentPassword, id: change.id })
      return { name: 'done' }
  }
}

const showCodes = (codes: string[] | null): Step => (codes ? { name: 'codes', codes } : { name: 'done' })
