import { useState } from 'react'
import type { BanView } from '#src/contract/bans.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, RowButton } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { banFacts } from './banFacts.tsx'
import styles from './moderation.module.css'
import { placeOf } from './queueTexts.ts'

/** Lists the live bans, newest first. */
export function BansScreen() {
  const [before, setBefore] = useState<number>()
  const query = usePrivateQuery(['bans', before], (client) => client.moderation.bans.list.query({ before }))
  const { action, alert } = useActions(query.refetch)
  const nextBefore = query.data?.nextBefore

  return (
    <div className={`stack ${styles.screen}`}>
      {alert}
      <QueryRows
        query={query}
        failed={t('moderation.bansFailed')}
        label={t('moderation.bans')}
        items={({ bans }) => bans}
        empty={t('moderation.noBans')}
      >
        {(ban) => (
          <Row
            key={ban.id}
            title={`${ban.label} · ${placeOf(ban.boardId)}`}
            text={ban.reason}
            facts={[...banFacts(ban), ...appealFacts(ban)]}
            actions={
              <RowButton
                {...action({
                  key: `lift ${ban.id}`,
                  run: (client) => client.moderation.bans.lift.mutate({ banId: ban.id }),
                  done: t('moderation.banLifted'),
                  failed: t('moderation.banFailed'),
                  removesRow: true,
                })}
              >
                {t('moderation.liftBan')}
              </RowButton>
            }
          >
            {ban.appeal !== null && <blockquote className={styles.appeal}>{ban.appeal}</blockquote>}
          </Row>
        )}
      </QueryRows>
      {nextBefore && <Button onClick={() => setBefore(nextBefore)}>{t('moderation.olderBans')}</Button>}
    </div>
  )
}

const appealFacts = ({ appealedAt, answeredAt }: BanView): Fact[] =>
  appealedAt ? [[t('field.appeal'), answeredAt ? t('moderation.appealAnswered') : t('moderation.appealQueued')]] : []
