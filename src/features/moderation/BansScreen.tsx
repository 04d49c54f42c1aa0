import { useState } from 'react'
import { type BanView, banMessages } from '#src/contract/bans.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { type Action, useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { focusOn, prepareNeighbourFocus } from '#src/ui/focus.ts'
import { Time } from '#src/ui/Time.tsx'
import styles from './BansScreen.module.css'

const isAppealOpen = ({ appealedAt, answeredAt }: BanView) => appealedAt !== null && answeredAt === null

/** Lists the live bans, newest first. */
export function BansScreen() {
  const [before, setBefore] = useState<number>()
  const [appeals, setAppeals] = useState(false)
  const query = usePrivateQuery(['bans', before, appeals], (client) =>
    client.moderation.bans.list.query({ before, appeals }),
  )
  const { act, busyKey, alert } = useActions(query.refetch)

  function show(onlyAppeals: boolean) {
    setAppeals(onlyAppeals)
    setBefore(undefined)
  }

  function run(ban: BanView, action: Action, row: Element | null) {
    const staysListed = action.key === `keep ${ban.id}` && !appeals
    act({ ...action, moveFocus: staysListed ? () => focusOn(row) : prepareNeighbourFocus(row) })
  }

  return (
    <div className={styles.screen}>
      {alert}
      <label className={styles.choice}>
        <input type="checkbox" checked={appeals} onChange={(event) => show(event.target.checked)} />
        Only open appeals
      </label>
      <QueryResult query={query} failed={banMessages.load}>
        {({ bans, nextBefore }) =>
          bans.length === 0 ? (
            <EmptyState>{appeals ? 'No appeal waits for an answer.' : 'Nobody is banned.'}</EmptyState>
          ) : (
            <>
              <Rows label="Bans">
                {bans.map((ban) => (
                  <Row
                    key={ban.id}
                    title={<span id={`ban-${ban.id}`}>{`${ban.label} · ${placeOf(ban)}`}</span>}
                    text={ban.reason}
                    facts={banFacts(ban)}
                    actions={actionsOf(ban).map(({ label, ...action }) => (
                      <Button
                        key={action.key}
                        size="small"
                        aria-describedby={`ban-${ban.id}`}
                        busy={busyKey === action.key}
                        onClick={({ currentTarget }) => run(ban, action, currentTarget.closest('li'))}
                      >
                        {label}
                      </Button>
                    ))}
                  >
                    {ban.appeal !== null && <blockquote className={styles.appeal}>{ban.appeal}</blockquote>}
                  </Row>
                ))}
              </Rows>
              {nextBefore !== null && <Button onClick={() => setBefore(nextBefore)}>Older bans</Button>}
            </>
          )
        }
      </QueryResult>
    </div>
  )
}

const placeOf = ({ boardId }: BanView) => (boardId === null ? 'the whole site' : `/${boardId}/`)

function actionsOf(ban: BanView): (Action & { label: string })[] {
  const failed = banMessages.change
  if (!isAppealOpen(ban)) {
    const lift: Action['run'] = (client) => client.moderation.bans.lift.mutate({ banId: ban.id })
    return [{ key: `lift ${ban.id}`, label: 'Lift the ban', run: lift, done: 'Ban lifted', failed }]
  }
  const answer = (outcome: 'lift' | 'keep'): Action['run'] => {
    return (client) => client.moderation.bans.answer.mutate({ banId: ban.id, outcome })
  }
  return [
    { key: `lift ${ban.id}`, label: 'Lift the ban', run: answer('lift'), done: 'Ban lifted', failed },
    { key: `keep ${ban.id}`, label: 'Keep the ban', run: answer('keep'), done: 'Appeal answered', failed },
  ]
}

function banFacts(ban: BanView): Fact[] {
  const { width, createdAt, endsAt, createdBy, appealedAt } = ban
  const facts: Fact[] = [
    ['Covers', width === 'host' ? 'one address' : 'a network'],
    ['Since', <Time key="since" date={createdAt} />],
    ['Until', <Time key="until" date={endsAt} />],
    ['By', createdBy ?? 'a removed user'],
  ]
  if (appealedAt) facts.push(['Appeal', isAppealOpen(ban) ? 'open' : 'answered'])
  return facts
}
