import { useState } from 'react'
import type { BanView } from '#src/contract/bans.ts'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { type Action, useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import styles from './BansScreen.module.css'
import { banFacts } from './banFacts.tsx'
import { placeOf } from './queueTexts.ts'

/** Lists the live bans, newest first. */
export function BansScreen() {
  const [before, setBefore] = useState<number>()
  const query = usePrivateQuery(['bans', before], (client) => client.moderation.bans.list.query({ before }))
  const { act, busyKey, alert } = useActions(query.refetch)

  return (
    <div className={`stack ${styles.screen}`}>
      {alert}
      <QueryResult query={query} failed={t('moderation.bansFailed')}>
        {({ bans, nextBefore }) =>
          bans.length === 0 ? (
            <EmptyState>{t('moderation.noBans')}</EmptyState>
          ) : (
            <>
              <Rows label={t('moderation.bans')}>
                {bans.map((ban) => (
                  <Row
                    key={ban.id}
                    title={<span id={`ban-${ban.id}`}>{`${ban.label} · ${placeOf(ban.boardId)}`}</span>}
                    text={ban.reason}
                    facts={[...banFacts(ban), ...appealFacts(ban)]}
                    actions={
                      <Button
                        size="small"
                        aria-describedby={`ban-${ban.id}`}
                        busy={busyKey === `lift ${ban.id}`}
                        onClick={({ currentTarget }) =>
                          act({ ...liftAction(ban), moveFocus: prepareNeighbourFocus(currentTarget.closest('li')) })
                        }
                      >
                        {t('moderation.liftBan')}
                      </Button>
                    }
                  >
                    {ban.appeal !== null && <blockquote className={styles.appeal}>{ban.appeal}</blockquote>}
                  </Row>
                ))}
              </Rows>
              {nextBefore !== null && (
                <Button onClick={() => setBefore(nextBefore)}>{t('moderation.olderBans')}</Button>
              )}
            </>
          )
        }
      </QueryResult>
    </div>
  )
}

function liftAction({ id }: BanView): Action {
  return {
    key: `lift ${id}`,
    run: (client) => client.moderation.bans.lift.mutate({ banId: id }),
    done: t('moderation.banLifted'),
    failed: t('moderation.banFailed'),
  }
}

const appealFacts = ({ appealedAt, answeredAt }: BanView): Fact[] =>
  appealedAt ? [[t('field.appeal'), answeredAt ? t('moderation.appealAnswered') : t('moderation.appealQueued')]] : []
