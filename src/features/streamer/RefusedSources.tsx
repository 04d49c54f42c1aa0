import { t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import type { SourceView } from './sourceCalls.ts'
import { useRefusedSources } from './useSources.ts'

/** Names the programs with a wrong password, until they are connected: most of them do not show the site's answer. */
export function RefusedSources({ sources }: { sources: SourceView[] }) {
  const { data = [] } = useRefusedSources()
  const refused = data.filter((one) => sources.every(({ client }) => client !== one.client))
  return refused.map(({ client, attempts }) => (
    <Alert key={client}>{t('radio.refusedSource', { program: client || t('streamer.unknown'), attempts })}</Alert>
  ))
}
