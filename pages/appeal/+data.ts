import type { PageContextServer } from 'vike/types'

export type Data = Awaited<ReturnType<typeof data>>

export async function data({ urlParsed: { search }, submittedForm }: PageContextServer) {
  const { appealToken = search.token ?? '', text = '' } = submittedForm?.fields ?? {}
  return {
    appealToken,
    text,
    isSent: submittedForm?.refusal === null,
    refusal: submittedForm?.refusal?.text ?? null,
  }
}
