import { t } from '#src/i18n/t.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, RowButton, Rows } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import {
  disconnect,
  formatDecibels,
  formatTitle,
  type SourceView,
  stateTexts,
  takeOver,
  useSources,
} from './sources.ts'

/** All connected sources, for admins. */
export function AllSources() {
  const query = useSources()
  const { action, deletion, alert, dialog } = useActions(query.refetch)

  return (
    <>
      {alert}
      <QueryResult query={query} failed={t('streamer.sourcesFailed')}>
        {(sources) =>
          sources.length === 0 ? (
            <p className="quiet">{t('streamer.noSources')}</p>
          ) : (
            <Rows label={t('streamer.allSources')}>
              {sources.map((source) => {
                const { id, streamer, state } = source
                return (
                  <Row
                    key={id}
                    heading="h3"
                    title={<bdi>{streamer.name}</bdi>}
                    facts={sourceFacts(source)}
                    actions={
                      <>
                        {(state === 'standby' || state === 'silent') && (
                          <RowButton
                            {...action({
                              key: id,
                              run: () => takeOver(id),
                              done: t('streamer.takenOver', { name: streamer.name }),
                              failed: t('streamer.sourceFailed'),
                            })}
                          >
                            {t('streamer.takeOver')}
                          </RowButton>
                        )}
                        <RowButton
                          variant="danger"
                          {...deletion({
                            title: t('streamer.disconnectQuestion'),
                            text: t('streamer.disconnectText', { name: streamer.name }),
                            verb: t('streamer.disconnect'),
                            failed: t('streamer.sourceFailed'),
                            done: t('streamer.disconnected'),
                            run: () => disconnect(id),
                          })}
                        >
                          {t('streamer.disconnect')}
                        </RowButton>
                      </>
                    }
                  />
                )
              })}
            </Rows>
          )
        }
      </QueryResult>
      {dialog}
    </>
  )
}

function sourceFacts({ state, client, format, kilobitsPerSecond, connectedAt, level, title }: SourceView): Fact[] {
  const facts: Fact[] = [
    [t('moderation.state'), stateTexts[state]()],
    [t('streamer.program'), client || t('ui.unknown')],
    [t('streamer.format'), `${format}, ${Math.round(kilobitsPerSecond)} kbit/s`],
    [t('streamer.connectedSince'), <RelativeTime key="since" date={connectedAt} />],
  ]
  if (level) facts.push([t('streamer.rms'), `${formatDecibels(level.rms)} dBFS`])
  if (title) facts.push([t('field.title'), formatTitle(title)])
  return facts
}
