import { streamerMessages } from '#src/contract/streamer.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import sections from './sections.module.css'
import { disconnect, type SourceView, takeOver } from './sourceCalls.ts'
import { formatDecibels, formatTitle, stateTexts } from './sourceTexts.ts'
import { useSources } from './useSources.ts'

/** All connected sources, for admins. */
export function AllSources() {
  const query = useSources()
  const { act, busyKey, alert } = useActions(query.refetch)
  const { dialog, askToDelete } = useDeletion()

  function askToDisconnect({ id, streamer }: SourceView) {
    const describe = async () => ({
      title: 'Disconnect this source?',
      text: `The source of ${streamer.name} is disconnected. To keep the streamer out, disable the account on the page of users.`,
      verb: 'Disconnect',
      failed: streamerMessages.sourceFailed,
      done: 'Source disconnected',
      run: () => disconnect(id),
    })
    void askToDelete(describe, () => void query.refetch())
  }

  return (
    <>
      {alert}
      <QueryResult query={query} failed={streamerMessages.sources}>
        {(sources) =>
          sources.length === 0 ? (
            <p className={sections.text}>No source is connected.</p>
          ) : (
            <Rows label="All sources">
              {sources.map((source) => {
                const { id, streamer, state } = source
                const titleId = `source-${id}`
                return (
                  <Row
                    key={id}
                    heading="h3"
                    title={<bdi id={titleId}>{streamer.name}</bdi>}
                    facts={sourceFacts(source)}
                    actions={
                      <>
                        {(state === 'standby' || state === 'silent') && (
                          <Button
                            size="small"
                            aria-describedby={titleId}
                            busy={busyKey === id}
                            onClick={() =>
                              act({
                                key: id,
                                run: () => takeOver(id),
                                done: `${streamer.name} is on air`,
                                failed: streamerMessages.sourceFailed,
                              })
                            }
                          >
                            Put on air
                          </Button>
                        )}
                        <Button
                          size="small"
                          variant="danger"
                          aria-describedby={titleId}
                          onClick={() => askToDisconnect(source)}
                        >
                          Disconnect
                        </Button>
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
    ['State', stateTexts[state]],
    ['Program', client || 'unknown'],
    ['Format', `${format}, ${Math.round(kilobitsPerSecond)} kbit/s`],
    ['Connected', <RelativeTime key="since" date={connectedAt} />],
  ]
  if (level) facts.push(['RMS', `${formatDecibels(level.rms)} dBFS`])
  if (title) facts.push(['Title', formatTitle(title)])
  return facts
}
