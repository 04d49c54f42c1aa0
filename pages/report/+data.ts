import type { PageContextServer } from 'vike/types'

export type Data = Awaited<ReturnType<typeof data>>

const FIELDS = ['url', 'post', 'reason', 'text'] as const
type Fields = Record<(typeof FIELDS)[number], string>

/** Creates the captcha on the server, so that the form works without script. */
export async function data({ api, urlParsed: { search }, submittedForm }: PageContextServer) {
  const given = submittedForm?.fields ?? search
  const fields = Object.fromEntries(FIELDS.map((name) => [name, given[name] ?? ''])) as Fields
  const isSent = submittedForm?.refusal === null
  return {
    fields,
    isSent,
    refusal: submittedForm?.refusal ?? null,
    challenge: isSent ? null : await api.site.captcha().catch(() => null),
  }
}
